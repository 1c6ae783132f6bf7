#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Trains Llama of two sizes: branches.sh SIZE
SIZE=$1
NODES=${NODES:-4}

if [[ "$SIZE" == "70b" ]]; then
  SHAPE="--num-layers 80 --hidden-size 8192 --num-attention-heads 64 --ffn-hidden-size 28672"
else
  SHAPE="--num-layers 32 --hidden-size 4096 --num-attention-heads 32 --ffn-hidden-size 14336"
fi

torchrun --nproc_per_node 8 --nnodes "$NODES" pretrain_gpt.py $SHAPE \
  --group-query-attention --num-query-groups 8 --swiglu --disable-bias-linear \
  --untie-embeddings-and-output-weights --position-embedding-type rope --normalization RMSNorm \
  --vocab-size 128256 --seq-length 8192 --micro-batch-size 1 --global-batch-size 128 \
  --train-iters 1000 --bf16 --use-distributed-optimizer --overlap-grad-reduce \
  --overlap-param-gather --tensor-model-parallel-size $TP --sequence-parallel 2>&1 | tee log.txt
