# SPDX-License-Identifier: Apache-2.0
export NODES=8
torchrun --nnodes $NODES --nproc_per_node 4 -m torchtitan.train --job.config_file deepseek.toml \
    --training.steps 50 --training.local_batch_size 8 \
    --parallelism.pipeline_parallel_degree=4 --parallelism.expert_parallel_degree=$EP
