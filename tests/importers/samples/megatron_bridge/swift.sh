# SPDX-License-Identifier: Apache-2.0
NPROC_PER_NODE=4 CUDA_VISIBLE_DEVICES=0,1,2,3 megatron sft \
    --model Qwen/Qwen3-30B-A3B \
    --tuner_type lora \
    --lora_rank 16 \
    --tensor_model_parallel_size 2 \
    --expert_model_parallel_size 4 \
    --sequence_parallel true \
    --moe_permute_fusion true \
    --global_batch_size 32 \
    --recompute_granularity full --recompute_method uniform --recompute_num_layers 1 \
    --max_length 4096 \
    --save_steps 200 \
    --num_train_epochs 1
