# SPDX-License-Identifier: Apache-2.0
NPROC_PER_NODE=2 CUDA_VISIBLE_DEVICES=0,1 swift sft \
    --model Qwen/Qwen2.5-7B-Instruct \
    --train_type lora \
    --target_modules all-linear \
    --torch_dtype bfloat16 \
    --per_device_train_batch_size 1 \
    --gradient_accumulation_steps $(expr 16 / 2) \
    --max_length $LENGTH \
    --deepspeed zero2
