#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
source $(dirname ${BASH_SOURCE[0]})/config_common.sh

# hyperparameters
export MAX_STEPS=${MAX_STEPS:-800}
export MINIBS=1
export TP=4
export PP="${PP:=1}"
export CP=2
export SP=1
: "${MBS:=1}"
export MICRO_BATCH_SIZE=$MBS
export FP8=True
export TP_COMM_OVERLAP=True
export LAYER_CUDA_GRAPH=0
export NVTE_FUSED_ATTN=1
export MADE_UP=3

# system parameters
export DGXNNODES=8
export DGXNGPU=8
export WALLTIME=$((5 + ${NEXP:-1} * 30))
