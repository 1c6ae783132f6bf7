# SPDX-License-Identifier: Apache-2.0
export USE_DIST_OPTIMIZER=True
export OVERLAP_GRAD_REDUCE=True
export FP8_PARAMS=True
export TENSOR_MODEL_PARALLEL=$WIDTH
source $(dirname ${BASH_SOURCE[0]})/config_fp8.sh
