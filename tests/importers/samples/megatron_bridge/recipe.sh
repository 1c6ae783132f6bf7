# SPDX-License-Identifier: Apache-2.0
#SBATCH --nodes=2
#SBATCH --gpus-per-node=8
MICRO_BATCH=2
CMD="python scripts/training/run_recipe.py --recipe llama32_3b_pretrain_config \
    train.micro_batch_size=$MICRO_BATCH train.global_batch_size=128 \
    model.tensor_model_parallel_size=2 model.pipeline_model_parallel_size=$PP \
    logger.log_interval=1"
srun bash -c "$CMD"
