// SPDX-License-Identifier: Apache-2.0
// Maps keys of NeMo recipes to arguments of Megatron-LM. [@nemo_recipes]
#pragma once

#include <array>
#include <string_view>

namespace railwright::importers {

/// A path of a recipe and the argument of Megatron-LM that means the same.
struct NemoKey {
  std::string_view theirs;
  std::string_view megatron;
};

inline constexpr auto kNemoKeys = std::to_array<NemoKey>({
    {"model.micro_batch_size", "micro_batch_size"},
    {"model.global_batch_size", "global_batch_size"},
    {"model.tensor_model_parallel_size", "tensor_model_parallel_size"},
    {"model.pipeline_model_parallel_size", "pipeline_model_parallel_size"},
    {"model.virtual_pipeline_model_parallel_size", "num_virtual_stages_per_pipeline_rank"},
    {"model.context_parallel_size", "context_parallel_size"},
    {"model.cp_comm_type", "cp_comm_type"},
    {"model.expert_model_parallel_size", "expert_model_parallel_size"},
    {"model.sequence_parallel", "sequence_parallel"},
    {"model.encoder_seq_length", "seq_length"},
    {"model.max_position_embeddings", "max_position_embeddings"},
    {"model.num_layers", "num_layers"},
    {"model.hidden_size", "hidden_size"},
    {"model.ffn_hidden_size", "ffn_hidden_size"},
    {"model.num_attention_heads", "num_attention_heads"},
    {"model.num_query_groups", "num_query_groups"},
    {"model.kv_channels", "kv_channels"},
    {"model.position_embedding_type", "position_embedding_type"},
    {"model.make_vocab_size_divisible_by", "make_vocab_size_divisible_by"},
    {"model.override_vocab_size", "vocab_size"},
    {"model.attention_dropout", "attention_dropout"},
    {"model.hidden_dropout", "hidden_dropout"},
    {"model.num_moe_experts", "num_experts"},
    {"model.moe_router_topk", "moe_router_topk"},
    {"model.moe_router_num_groups", "moe_router_num_groups"},
    {"model.moe_router_group_topk", "moe_router_group_topk"},
    {"model.activations_checkpoint_granularity", "recompute_granularity"},
    {"model.activations_checkpoint_method", "recompute_method"},
    {"model.activations_checkpoint_num_layers", "recompute_num_layers"},
    {"model.use_flash_attention", "use_flash_attn"},
    {"model.fp8", "fp8"},
    {"model.fp8_params", "fp8_param_gather"},
    {"model.ub_tp_comm_overlap", "tp_comm_overlap"},
    {"model.overlap_p2p_comm", "overlap_p2p_communication"},
    {"model.optim.overlap_grad_sync", "overlap_grad_reduce"},
    {"model.optim.overlap_param_sync", "overlap_param_gather"},
    {"model.data.seq_length", "seq_length"},
    {"trainer.num_nodes", "nnodes"},
    {"trainer.devices", "nproc_per_node"},
    {"trainer.max_steps", "train_iters"},
    // NeuronX Distributed Training of AWS
    {"distributed_strategy.tensor_model_parallel_size", "tensor_model_parallel_size"},
    {"distributed_strategy.pipeline_model_parallel_size", "pipeline_model_parallel_size"},
    {"distributed_strategy.virtual_pipeline_model_parallel_size",
     "num_virtual_stages_per_pipeline_rank"},
    {"distributed_strategy.context_parallel_size", "context_parallel_size"},
    {"distributed_strategy.expert_model_parallel_size", "expert_model_parallel_size"},
    {"distributed_strategy.sequence_parallel", "sequence_parallel"},
    {"distributed_strategy.zero1", "use_distributed_optimizer"},
    {"model.num_kv_heads", "num_query_groups"},
    {"model.moe.num_experts", "num_experts"},
    {"model.moe.top_k", "moe_router_topk"},
    {"model.moe.frequency", "moe_layer_freq"},
    // NeMo 2
    {"trainer.strategy.tensor_model_parallel_size", "tensor_model_parallel_size"},
    {"trainer.strategy.pipeline_model_parallel_size", "pipeline_model_parallel_size"},
    {"trainer.strategy.virtual_pipeline_model_parallel_size",
     "num_virtual_stages_per_pipeline_rank"},
    {"trainer.strategy.context_parallel_size", "context_parallel_size"},
    {"trainer.strategy.expert_model_parallel_size", "expert_model_parallel_size"},
    {"trainer.strategy.expert_tensor_parallel_size", "expert_tensor_parallel_size"},
    {"trainer.strategy.sequence_parallel", "sequence_parallel"},
    {"trainer.strategy.account_for_embedding_in_pipeline_split",
     "account_for_embedding_in_pipeline_split"},
    {"trainer.strategy.account_for_loss_in_pipeline_split", "account_for_loss_in_pipeline_split"},
    {"trainer.strategy.ddp.overlap_grad_reduce", "overlap_grad_reduce"},
    {"trainer.strategy.ddp.overlap_param_gather", "overlap_param_gather"},
    {"trainer.strategy.ddp.bucket_size", "ddp_bucket_size"},
    {"trainer.strategy.ddp.grad_reduce_in_fp32", "accumulate_allreduce_grads_in_fp32"},
    {"optim.config.use_distributed_optimizer", "use_distributed_optimizer"},
    {"data.micro_batch_size", "micro_batch_size"},
    {"data.global_batch_size", "global_batch_size"},
    {"data.seq_length", "seq_length"},
    {"model.config.num_layers", "num_layers"},
    {"model.config.hidden_size", "hidden_size"},
    {"model.config.ffn_hidden_size", "ffn_hidden_size"},
    {"model.config.num_attention_heads", "num_attention_heads"},
    {"model.config.num_query_groups", "num_query_groups"},
    {"model.config.kv_channels", "kv_channels"},
    {"model.config.position_embedding_type", "position_embedding_type"},
    {"model.config.vocab_size", "vocab_size"},
    {"model.config.seq_length", "seq_length"},
    {"model.config.attention_dropout", "attention_dropout"},
    {"model.config.hidden_dropout", "hidden_dropout"},
    {"model.config.num_moe_experts", "num_experts"},
    {"model.config.moe_router_topk", "moe_router_topk"},
    {"model.config.moe_router_num_groups", "moe_router_num_groups"},
    {"model.config.moe_router_group_topk", "moe_router_group_topk"},
    {"model.config.moe_ffn_hidden_size", "moe_ffn_hidden_size"},
    {"model.config.cp_comm_type", "cp_comm_type"},
    {"model.config.recompute_granularity", "recompute_granularity"},
    {"model.config.recompute_method", "recompute_method"},
    {"model.config.recompute_num_layers", "recompute_num_layers"},
    {"model.config.cross_entropy_loss_fusion", "cross_entropy_loss_fusion"},
});

/// Classes whose defaults are a published shape. [@nemo_classes]
inline constexpr auto kNemoClasses = std::to_array<NemoKey>({
    {"Llama2Config7B", "llama-2-7b"},
    {"Llama2Config13B", "llama-2-13b"},
    {"Llama2Config70B", "llama-2-70b"},
    {"Llama3Config8B", "llama-3.1-8b"},
    {"Llama3Config70B", "llama-3.1-70b"},
    {"Llama31Config8B", "llama-3.1-8b"},
    {"Llama31Config70B", "llama-3.1-70b"},
    {"Llama31Config405B", "llama-3.1-405b"},
    {"MixtralConfig8x7B", "mixtral-8x7b"},
    {"Nemotron4Config15B", "nemotron-4-15b"},
    {"Nemotron4Config340B", "nemotron-4-340b"},
});

/// Defaults of the classes whose names start with `prefix`. GPTConfig, the base class of all, has
/// biases of matrices, tied embeddings, LayerNorm, learned positions and a dropout of 0.1.
struct NemoFamily {
  std::string_view prefix;
  bool gated = true;
  bool tied = false;
  bool rms_norm = true;
};

/// A key that only recipes of another kind of model have.
struct NemoOtherModel {
  std::string_view key;
  std::string_view what;
};

/// NeMo trains models of images, sound and sequences read both ways from recipes of the same form.
inline constexpr auto kNemoOtherModels = std::to_array<NemoOtherModel>({
    {"model.unet_config", "a diffusion model of images"},
    {"model.unet", "a diffusion model of images"},
    {"model.first_stage_config", "a diffusion model of images"},
    {"model.image_size", "a model of images"},
    {"model.img_h", "a vision transformer"},
    {"model.patch_dim", "a vision transformer"},
    {"model.vision_pretraining_type", "a vision transformer"},
    {"model.vision", "an encoder of images beside one of text"},
    {"model.mm_cfg", "a language model with an encoder of images"},
    {"model.preprocessor", "a model of sound"},
    {"model.activations_checkpoint_recurrent", "Griffin, whose layers are recurrent"},
    {"model.mcore_bert", "BERT, whose tokens attend both ways"},
    {"model.bert_binary_head", "BERT, whose tokens attend both ways"},
});

/// Packages of NeMo whose models are no language models.
inline constexpr auto kNemoOtherCollections =
    std::to_array<std::string_view>({"asr", "audio", "diffusion", "multimodal", "tts", "vision"});

/// Families without biases and dropout, all with rotary positions. [@nemo_classes]
inline constexpr auto kNemoFamilies = std::to_array<NemoFamily>({
    {.prefix = "Llama"},
    {.prefix = "CodeLlama"},
    {.prefix = "Mistral"},
    {.prefix = "Mixtral"},
    {.prefix = "Qwen2"},
    {.prefix = "DeepSeek"},
    {.prefix = "Phi3"},
    {.prefix = "Gemma", .tied = true},
    {.prefix = "Nemotron", .gated = false, .rms_norm = false},
});

/// Keys that have no effect on time or memory, with all keys below them.
inline constexpr auto kNemoIgnored =
    std::to_array<std::string_view>({"name",
                                     "restore_from_path",
                                     "run",
                                     "exp_manager",
                                     "trainer.accelerator",
                                     "trainer.logger",
                                     "trainer.enable_checkpointing",
                                     "trainer.use_distributed_sampler",
                                     "trainer.replace_sampler_ddp",
                                     "trainer.max_epochs",
                                     "trainer.max_time",
                                     "trainer.log_every_n_steps",
                                     "trainer.val_check_interval",
                                     "trainer.limit_val_batches",
                                     "trainer.limit_test_batches",
                                     "trainer.gradient_clip_val",
                                     "trainer.benchmark",
                                     "trainer.enable_model_summary",
                                     "trainer.num_sanity_val_steps",
                                     "trainer.callbacks",
                                     "model.mcore_gpt",
                                     "model.init_method_std",
                                     "model.layernorm_epsilon",
                                     "model.data",
                                     "model.tokenizer",
                                     "model.seed",
                                     "model.native_amp_init_scale",
                                     "model.sync_batch_comm",
                                     "model.native_amp_growth_interval",
                                     "model.hysteresis",
                                     "model.nsys_profile",
                                     "model.megatron_amp_O2",
                                     "model.openai_gelu",
                                     "model.onnx_safe",
                                     "model.resume_from_checkpoint",
                                     "model.optim.lr",
                                     "model.optim.weight_decay",
                                     "model.optim.betas",
                                     "model.optim.sched",
                                     "model.rotary_percentage",
                                     "model.use_cpu_initialization",
                                     "model.pre_process",
                                     "model.post_process",
                                     "model.persist_layer_norm",
                                     "model.apex_transformer_log_level",
                                     "model.gradient_as_bucket_view",
                                     "model.optim.contiguous_grad_buffer",
                                     "log",
                                     "resume",
                                     "data._target_",
                                     "optim._target_",
                                     "optim.config._target_",
                                     "optim.lr_scheduler",
                                     "optim.config.lr",
                                     "optim.config.weight_decay",
                                     "optim.config.adam_beta1",
                                     "optim.config.adam_beta2",
                                     "optim.config.adam_eps",
                                     "optim.config.clip_grad",
                                     "trainer._target_",
                                     "trainer.strategy._target_",
                                     "trainer.strategy.ddp._target_",
                                     "trainer.plugins._target_",
                                     "model._target_"});

}  // namespace railwright::importers
