# SPDX-License-Identifier: Apache-2.0
from megatron.bridge.perf_recipes.llama.common import CommOverlapConfig, ConfigContainer

SEQUENCE_LENGTH: int = 8_192
NUM_STAGES = 2 * 2


def llama3_70b_pretrain_64gpu_h100_bf16_config() -> ConfigContainer:
    """Llama3 70B: "TP=4 PP=4".

    cfg.model.tensor_model_parallel_size = 99
    """
    cfg = llama3_70b_pretrain_config()
    cfg.mixed_precision = get_mixed_precision_config("bf16_mixed")
    cfg.model.tensor_model_parallel_size = 4  # within a node
    cfg.model.pipeline_model_parallel_size = NUM_STAGES
    cfg.model.context_parallel_size = 2
    cfg.model.virtual_pipeline_model_parallel_size = None
    cfg.model.sequence_parallel = True
    cfg.model.seq_length = SEQUENCE_LENGTH
    cfg.train.global_batch_size = \
        256
    cfg.train.micro_batch_size = 1
    if some_condition:
        cfg.model.recompute_granularity = "full"
    cfg.comm_overlap = CommOverlapConfig(
        tp_comm_overlap=False,
    )
    cfg.ddp.overlap_grad_reduce = True
    _llama_benchmark_common(cfg)
    cfg.env_vars = {"NCCL_NVLS_ENABLE": 0}
    return cfg
