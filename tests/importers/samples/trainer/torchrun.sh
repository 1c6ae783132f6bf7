#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#SBATCH --nodes=4
#SBATCH --gres=gpu:h100:8
# Full fine-tuning with the Hugging Face trainer, ZeRO-3 from a JSON beside it.
GPUS=8
NODES=4
SEQUENCES=$((NODES * GPUS * 4))
MODEL=${MODEL:-meta-llama/Llama-3.1-8B}

torchrun --nnodes $NODES --nproc_per_node $GPUS train.py \
    --model_name_or_path "$MODEL" \
    --deepspeed zero3.json \
    --per_device_train_batch_size 2 \
    --gradient_accumulation_steps $((SEQUENCES / (NODES * GPUS * 2))) \
    --model_max_length 8192 --packing True \
    --max_steps 1_000 --save_steps 200 \
    --bf16 True --gradient_checkpointing True \
    --attn_implementation flash_attention_2 \
    --optim adamw_torch_fused --learning_rate 1e-5 --report_to none 2>&1 | tee log.txt
