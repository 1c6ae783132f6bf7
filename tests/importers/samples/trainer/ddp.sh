# SPDX-License-Identifier: Apache-2.0
torchrun --nproc_per_node 4 --nnodes 1 finetune.py \
    --model_name_or_path /models/Llama-2-7b-hf --per_device_train_batch_size 1 \
    --gradient_accumulation_steps 8 --bf16 True --max_seq_length 4096 --ddp_bucket_cap_mb 50
