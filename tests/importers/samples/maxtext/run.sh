# SPDX-License-Identifier: Apache-2.0
export RUN=${RUN:-test}
ARGS="model_name=llama3.1-70b steps=30 \
per_device_batch_size=0.5"
ARGS+=" max_target_length=8192 ici_fsdp_parallelism=-1 ici_tensor_parallelism=4"
ARGS+=" remat_policy=minimal attention=flash quantization=fp8 dcn_data_parallelism=$SLICES"
python3 -m MaxText.train MaxText/configs/base.yml run_name=$RUN $ARGS
