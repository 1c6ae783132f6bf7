// SPDX-License-Identifier: Apache-2.0
// What scripts leave open: branches, loops, arguments, and what a person chooses of them.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "imported.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kScript("megatron");
const importers::ImportKind kBridgeKind("megatron-bridge");
const importers::ImportKind kServed("serving-launch");

constexpr const char* kCommand =
    "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers $LAYERS --hidden-size 1024 "
    "--num-attention-heads 16 --seq-length 512 --micro-batch-size 2 --global-batch-size 64 "
    "--train-iters 10 --vocab-size 1024 --bf16 --tensor-model-parallel-size $TP ${MORE}\n";

importers::Imported script(const std::string& before) {
  return importers::import_text(kScript, "MORE=\"\"\nLAYERS=12\n" + before + kCommand, "run.sh");
}

std::string reason(const importers::Imported& imported, std::string_view path) {
  for (const importers::NotKnown& one : imported.not_known) {
    if (one.path == path && one.is_outside) return one.reason;
  }
  return "";
}

TEST(ImportScripts, TakesTheBranchThatTheFileDecides) {
  const std::string branches =
      "if [[ \"$SIZE\" == small && $NODES -gt 1 ]]; then\n  TP=2\nelif [ $SIZE = large ]; then\n"
      "  TP=4\nelse\n  TP=8\nfi\n";
  EXPECT_EQ(value(script("SIZE=small NODES=4\n" + branches), "parallelism.tp"), "2");
  EXPECT_EQ(value(script("SIZE=large NODES=4\n" + branches), "parallelism.tp"), "4");
  EXPECT_EQ(value(script("SIZE=\"other\"; NODES=1\n" + branches), "parallelism.tp"), "8");
  const std::string patterns =
      "case $SIZE in\n  s*|tiny) TP=2 ;;\n  large)\n    TP=4\n    ;;\n  *) TP=8;;\nesac\n";
  EXPECT_EQ(value(script("SIZE=small\n" + patterns), "parallelism.tp"), "2");
  EXPECT_EQ(value(script("SIZE=large\n" + patterns), "parallelism.tp"), "4");
  EXPECT_EQ(value(script("SIZE=x\n" + patterns), "parallelism.tp"), "8");
}

TEST(ImportScripts, KnowsNoValueThatBranchesDifferIn) {
  const auto two = script("if [ $SIZE = small ]; then\n  TP=2\nelse\n  TP=4\nfi\n");
  EXPECT_EQ(value(two, "parallelism.tp"), "absent");
  EXPECT_EQ(reason(two, "--tensor-model-parallel-size"),
            "TP is 2 or 4, by '[ $SIZE = small ]' of line 3");
  // The same behind both, and one that leaves the script.
  EXPECT_EQ(
      value(script("if [ $SIZE = small ]; then\n  TP=4\nelse\n  TP=4\nfi\n"), "parallelism.tp"),
      "4");
  EXPECT_EQ(
      value(script("TP=4\nif [ $SIZE = small ]; then\n  TP=2\n  exit 1\nfi\n"), "parallelism.tp"),
      "4");
  // A branch that may not run.
  EXPECT_EQ(value(script("TP=4\n[ $SIZE = small ] && TP=2\n"), "parallelism.tp"), "absent");
  EXPECT_EQ(value(script("TP=4\nSIZE=large\n[ $SIZE = small ] && TP=2\n"), "parallelism.tp"), "4");
  // An option within one branch.
  const auto option = script(
      "TP=1\nif [ $CP ]; then\n MORE=\"--recompute-granularity full "
      "--recompute-method uniform --recompute-num-layers 1\"\nfi\n");
  EXPECT_EQ(value(option, "software.recompute"), "~none");  // $CP is empty unless told
  const auto open =
      script("TP=1\nif [ $CP = 1 ]; then\n MORE=\"--recompute-granularity full\"\nfi\n");
  EXPECT_EQ(value(open, "software.recompute"), "absent");
}

TEST(ImportScripts, TakesDefaultsOfArguments) {
  EXPECT_EQ(
      value(script("TP=4\nwhile [[ $# -gt 0 ]]; do\n  case $1 in\n    --tp) TP=\"$2\"; shift 2 "
                   ";;\n    *) shift ;;\n  esac\ndone\n"),
            "parallelism.tp"),
      "4");
  EXPECT_EQ(value(script("if [ -z \"$TP\" ]; then\n  TP=8\nfi\n"), "parallelism.tp"), "8");
  EXPECT_EQ(value(script("TP=${TP:-${SIZE:-2}}\n"), "parallelism.tp"), "2");
  EXPECT_EQ(value(script("TP=$1\nTP=${TP:-2}\n"), "parallelism.tp"), "2");
  // What a command prints is no default.
  EXPECT_EQ(value(script("TP=`nvidia-smi -L | wc -l`\nTP=${TP:-2}\n"), "parallelism.tp"), "absent");
  EXPECT_EQ(value(script("for TP in 1 2 4; do\ntrue\ndone\n"), "parallelism.tp"), "absent");
  EXPECT_EQ(value(script("for TP in 4; do\ntrue\ndone\n"), "parallelism.tp"), "4");
  EXPECT_EQ(value(script("TP=x16\nTP=${TP#x}\n"), "parallelism.tp"), "absent");
}

TEST(ImportScripts, PassesOverProseAndDocuments) {
  EXPECT_EQ(value(script("TP=4\necho \"never use --tensor-model-parallel-size and --bf16\"\n"
                         "python - <<'END'\nif x:\n  y = 1\nEND\n"),
                  "parallelism.tp"),
            "4");
  const std::string refused =
      refusal(kScript, "TP=4\nif [ $A = b ]; then\n" + std::string(kCommand));
  EXPECT_NE(refused.find("file:2:1: 'if' without its end"), std::string::npos) << refused;
}

importers::ImportedParts task(const std::string& text,
                              const importers::ImportChoices& choices = {}) {
  const std::string file = ::testing::TempDir() + "railwright_task.yaml";
  std::ofstream(file) << text;
  return importers::import_files({{{}, file}}, choices);
}

TEST(ImportScripts, FillsATrainersYaml) {
  const std::string yaml =
      "base_model: meta-llama/Llama-3.1-8B\nsequence_len: 4096\nmicro_batch_size: ${MICRO}\n";
  EXPECT_EQ(value(task(yaml).parts[0], "workload.micro_batch"), "absent");
  importers::ImportChoices choices;
  choices.variables = {"MICRO=2"};
  EXPECT_EQ(value(task(yaml, choices).parts[0], "workload.micro_batch"), "2");
}

TEST(ImportScripts, AFunctionThatIsCalledOnceRunsWhereItIsCalled) {
  const std::string body = "train() {\n  TP=$1\n  local MORE=\"--bf16 --zero $SIZE\"\n}\n";
  EXPECT_EQ(value(script("SIZE=1\n" + body + "SIZE=2\ntrain 4 x\n"), "parallelism.tp"), "4");
  const std::string late = "run() {\n  TP=$OTHER\n}\nOTHER=8\nrun\nOTHER=2\n";
  EXPECT_EQ(value(script(late), "parallelism.tp"), "8");
  // Called twice, its argument is one of several.
  EXPECT_EQ(value(script(body + "train 4\ntrain 8\n"), "parallelism.tp"), "absent");
  const std::string otherwise = "train() {\n  TP=${1:-4}\n}\n";
  EXPECT_EQ(value(script(otherwise + "train 8\ntrain 2\n"), "parallelism.tp"), "absent");
  EXPECT_EQ(value(script(otherwise + "train\n"), "parallelism.tp"), "4");
  // A function that no branch calls.
  EXPECT_EQ(
      value(script("TP=2\n" + body + "if [ 1 = 2 ]; then\n  train 4\nfi\n"), "parallelism.tp"),
      "2");
}

TEST(ImportScripts, AFunctionThatNothingCallsChangesNothing) {
  EXPECT_EQ(value(script("TP=2\nother() {\n  TP=8\n}\n"), "parallelism.tp"), "2");
}

TEST(ImportScripts, UnsetTakesAValueBack) {
  EXPECT_EQ(value(script("TP=8\nunset TP\nTP=${TP:-2}\n"), "parallelism.tp"), "2");
}

TEST(ImportScripts, TheOptionsOfACallAreRead) {
  const auto imported = script(
      "TP=2\nrun() {\n  echo \"$@\"\n  \"$@\"\n}\n"
      "run torchrun pretrain_gpt.py ${ARGS[@]} --pipeline-model-parallel-size 8\n");
  EXPECT_EQ(value(imported, "parallelism.pp"), "8");
}

TEST(ImportScripts, ArgumentsThatMoveAreOpen) {
  const auto stages = [&](const std::string& text) {
    return value(script("TP=2\n" + text + "MORE=\"--pipeline-model-parallel-size $PP\"\n"),
                 "parallelism.pp");
  };
  EXPECT_EQ(stages("f() {\n  local A=$1\n  shift\n  PP=$1\n}\nf 8 4\n"), "absent");
  EXPECT_EQ(stages("f() {\n  set -- 4\n  PP=$1\n}\nf 8\n"), "absent");
  EXPECT_EQ(stages("f() {\n  set -x\n  PP=$1\n}\nf 8\n"), "8");
  // No default, not even behind the function.
  EXPECT_EQ(stages("f() {\n  shift\n  PP=${1:-1}\n}\nf 8 4\n"), "absent");
  EXPECT_EQ(stages("f() {\n  shift\n  PP=$1\n}\nf 8 4\nPP=${PP:-1}\n"), "absent");
  // A loop over the arguments replaces a default.
  EXPECT_EQ(stages("PP=1\nf() {\n  while [ $# -gt 0 ]; do\n    case $1 in\n      --a) A=$2 ;;\n"
                   "      --pp) PP=$2 ;;\n    esac\n    shift 2\n  done\n}\nf --a 8 --pp 4\n"),
            "absent");
  // Arguments that are passed on, or that may be several words.
  const std::string inner = "inner() {\n  PP=$2\n}\n";
  EXPECT_EQ(stages(inner + "outer() {\n  inner 16 \"$@\"\n}\nouter 8\n"), "absent");
  EXPECT_EQ(stages(inner + "outer() {\n  inner \"$@\"\n}\nouter 16 8\n"), "8");
  EXPECT_EQ(stages("f() {\n  PP=$2\n}\nA=(1 2)\nf ${A[@]} 8\n"), "absent");
  EXPECT_EQ(stages("A=\"1 2\"\nf() {\n  PP=$2\n}\nf $A 8\n"), "absent");
  EXPECT_EQ(stages("A=\"1 2\"\nf() {\n  PP=$2\n}\nf \"$A\" 8\n"), "8");
  EXPECT_EQ(stages("A=\"--x 1\"\nf() {\n  PP=$2\n}\nf $A 8\n"), "absent");
  EXPECT_EQ(stages("f() {\n  PP=$2\n}\nf $FROM_OUTSIDE 8\n"), "absent");
  EXPECT_EQ(stages("f() {\n  PP=$2\n}\nf \"$FROM_OUTSIDE\" 8\n"), "8");
  // A call within leaves those of the caller.
  EXPECT_EQ(stages("inner() {\n  A=$1\n}\nouter() {\n  inner 16\n  PP=$1\n}\nouter 8\n"), "8");
  EXPECT_EQ(stages("inner() {\n  PP=$2\n}\nouter() {\n  inner 16 $1\n}\nouter 8\n"), "8");
  // What the script itself is called with replaces a default.
  EXPECT_EQ(stages("PP=4\nf() {\n  case $1 in\n    --pp) PP=$2 ;;\n  esac\n  shift\n}\nf \"$@\"\n"),
            "4");
}

TEST(ImportScripts, ManyFunctionsAreFollowedInBoundedDepthAndTime) {
  constexpr int kCalls = 20000;
  std::string chain;
  for (int i = 0; i < kCalls; ++i) {
    chain += "f" + std::to_string(i) + "() {\n  f" + std::to_string(i + 1) + "\n}\n";
  }
  EXPECT_EQ(value(script("TP=2\n" + chain + "f0\n"), "parallelism.tp"), "2");
  std::string open;
  for (int i = 0; i < kCalls; ++i) open += "f" + std::to_string(i) + "() {\n";
  EXPECT_EQ(value(script("TP=2\n" + open), "parallelism.tp"), "2");
}

TEST(ImportScripts, AValueIsArithmeticWithBlanks) {
  const auto imported = script("TP=$((2 * 2))\nMORE=\"--save-interval $((10 * 5))\"\n");
  EXPECT_EQ(value(imported, "parallelism.tp"), "4");
  EXPECT_EQ(value(imported, "checkpoint.interval_steps"), "50");
  const auto direct =
      script("TP=1\nMORE=\"\"\n" + std::string("pretrain_gpt.py --context-parallel-size=$((1 + 1)) "
                                               "--pipeline-model-parallel-size $((2 * 2))\n"));
  EXPECT_EQ(value(direct, "parallelism.cp"), "2");
  EXPECT_EQ(value(direct, "parallelism.pp"), "4");
}

TEST(ImportScripts, TwoCommandsWithTwoValuesLeaveThemOpen) {
  const auto two =
      script("TP=2\npython convert.py --tensor-model-parallel-size 8 --seq-length 512\n");
  EXPECT_EQ(value(two, "parallelism.tp"), "absent");
  EXPECT_NE(reason(two, "--tensor-model-parallel-size").find("8 in one command"),
            std::string::npos);
  EXPECT_EQ(value(two, "workload.sequence_length"), "512");
  // One command with an option twice takes the latter, as argparse does.
  const std::string twice = "--tensor-model-parallel-size 4 --tensor-model-parallel-size 8\n";
  EXPECT_EQ(value(importers::import_text(
                      kScript, "torchrun pretrain_gpt.py --num-layers 12 --seq-length 8 " + twice,
                      "run.sh"),
                  "parallelism.tp"),
            "8");
  // What two commands contest stays open, though one of them says it again.
  const std::string first = "python convert.py --tensor-model-parallel-size 2\n";
  EXPECT_EQ(value(importers::import_text(kScript,
                                         first + "torchrun pretrain_gpt.py --num-layers 12 " +
                                             "--seq-length 8 " + twice,
                                         "run.sh"),
                  "parallelism.tp"),
            "absent");
}

TEST(ImportScripts, NothingRunsAfterTheScriptEnds) {
  EXPECT_EQ(value(script("TP=2\nusage() {\n  exit 0\n}\n[ $TP -gt 4 ] && exit 0\nls || exit 1\n"),
                  "parallelism.tp"),
            "2");
  // The body of a function that nothing calls.
  EXPECT_EQ(value(script("TP=2\nusage() {\nexit 0\n}\nTP=8\n"), "parallelism.tp"), "8");
  const auto imported = importers::import_text(
      kScript, std::string("MORE=\"\" LAYERS=12 TP=2\n") + kCommand + "exit 0\nTP=8\n" + kCommand,
      "run.sh");
  EXPECT_EQ(value(imported, "parallelism.tp"), "2");
}

TEST(ImportScripts, ReadsJobsOfKubernetes) {
  const std::string container =
      "        containers:\n        - name: pytorch\n          image: site/train\n"
      "          command: [bash, -c]\n          args:\n          - |\n"
      "            torchrun --nnodes $WORLD_SIZE pretrain_gpt.py --num-layers 12 \\\n"
      "              --hidden-size 1024 --num-attention-heads 16 --seq-length 512 --bf16 \\\n"
      "              --micro-batch-size $MICRO --global-batch-size 64 --train-iters 10\n"
      "          env:\n          - {name: MICRO, value: '2'}\n"
      "          resources: {limits: {nvidia.com/gpu: 8}}\n";
  const auto role = [&](const std::string& name, const std::string& replicas) {
    return "    " + name + ":\n      replicas: " + replicas + "\n      template:\n       spec:\n" +
           container;
  };
  const std::string head =
      "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nspec:\n  pytorchReplicaSpecs:\n";
  const auto parts = task(head + role("Master", "1") + role("Worker", "3"));
  const importers::Imported& made = parts.parts.at(0);
  EXPECT_EQ(made.kind, kScript);
  EXPECT_EQ(value(made, "cluster.nodes"), "4");
  EXPECT_EQ(value(made, "cluster.node.num_accelerators"), "~8");
  EXPECT_EQ(value(made, "workload.micro_batch"), "2");
  // Replicas that are no count leave the nodes open, unless a choice fills them in.
  for (const char* replicas : {"${WORKERS}", "0", "some"}) {
    const auto open = task(head + role("Master", "1") + role("Worker", replicas));
    EXPECT_EQ(value(open.parts.at(0), "cluster.nodes"), "absent") << replicas;
  }
  for (const char* form : {"${WORKERS}", "{{ WORKERS }}", "{{ .Values.WORKERS }}"}) {
    const auto filled = task(head + role("Master", "1") + role("Worker", form),
                             {.variables = {"WORKERS=7"}, .recipe = ""});
    EXPECT_EQ(value(filled.parts.at(0), "cluster.nodes"), "8") << form;
  }
  // Kubernetes fills $(NAME) in.
  const auto other = [&] {
    std::string text = head + role("Master", "1");
    return text.replace(text.find("$MICRO"), 6, "$(MICRO)");
  };
  EXPECT_EQ(value(task(other()).parts.at(0), "workload.micro_batch"), "2");
}

TEST(ImportScripts, ReadsTasksOfSkyPilotAndDstack) {
  const auto sky = task(
      "# two nodes\nenvs:\n  MODEL: \"Qwen/Qwen3-8B\"  # any\n  TOKEN:\nresources:\n"
      "  accelerators: {H200:4, H100:4}\nnum_nodes: 2\nsetup: |\n  pip install vllm\nrun: |\n"
      "  if [ \"$SKYPILOT_NODE_RANK\" == \"0\" ]; then\n    vllm serve $MODEL \\\n"
      "      --tensor-parallel-size $SKYPILOT_NUM_GPUS_PER_NODE \\\n"
      "      --pipeline-parallel-size $SKYPILOT_NUM_NODES\n  fi\nservice:\n  replicas: 3\n");
  ASSERT_EQ(sky.parts.size(), 1U);
  EXPECT_EQ(value(sky.parts[0], "inference.tp"), "4");
  EXPECT_EQ(value(sky.parts[0], "inference.pp"), "2");
  EXPECT_EQ(value(sky.parts[0], "inference.model"), "~qwen3-8b");
  const auto stack = task(
      "type: task\nnodes: 3\nenv:\n  - TP=2\n  - TOKEN\ncommands:\n  - pip install torch\n  - |\n"
      "    torchrun --nproc-per-node=$DSTACK_GPUS_PER_NODE --nnodes=$DSTACK_NODES_NUM \\\n"
      "      pretrain_gpt.py --num-layers 2 --hidden-size 64 --num-attention-heads 2 \\\n"
      "      --tensor-model-parallel-size $TP\nresources:\n  gpu: 80GB:8\n");
  ASSERT_EQ(stack.parts.size(), 1U);
  EXPECT_EQ(value(stack.parts[0], "parallelism.tp"), "2");
  EXPECT_EQ(value(stack.parts[0], "cluster.nodes"), "3");
  EXPECT_EQ(value(stack.parts[0], "cluster.node.num_accelerators"), "~8");
  // Accelerators that differ in number leave the division open.
  const auto open = task(
      "resources:\n  accelerators: {L4:8, A100:4}\nrun: |\n  vllm serve Qwen/Qwen3-8B "
      "--tensor-parallel-size $SKYPILOT_NUM_GPUS_PER_NODE\n");
  EXPECT_EQ(value(open.parts[0], "inference.tp"), "absent");
}

TEST(ImportScripts, RefusesAQuoteThatNeverEnds) {
  const std::string refused =
      refusal(kScript, "#!/bin/bash\nNAME=\"a\nTP=4\n" + std::string(kCommand));
  EXPECT_NE(refused.find("file:2:6: a quote that never ends"), std::string::npos) << refused;
  // An apostrophe in a here-document or in a file of YAML is a letter.
  EXPECT_EQ(value(script("TP=4\ncat <<END\nit's\nEND\n"), "parallelism.tp"), "4");
  EXPECT_EQ(value(importers::import_text(
                      kScript, "name: it's\nMODEL_ARGS:\n  --num-layers: 12\n  --seq-length: 8\n",
                      "f.yaml"),
                  "workload.sequence_length"),
            "8");
}

TEST(ImportScripts, ReadsTheHeadOfABatchJob) {
  const auto imported =
      script("#SBATCH --nodes=12\nTP=$SLURM_NNODES\nN=$(($SLURM_JOB_NUM_NODES * 8))\n");
  EXPECT_EQ(value(imported, "parallelism.tp"), "12");
}

TEST(ImportScripts, TakesChosenVariables) {
  const std::string text =
      "#!/bin/bash\nTP=$3\nLAYERS=12 MORE=\"\"\nif [ $PR = fp8 ]; then\n"
      "  MORE=\"--fp8-format hybrid\"\nfi\n" +
      std::string(kCommand);
  const auto chosen =
      kScript->choose(text, "run.sh", {.variables = {"TP=2", "PR=fp8"}, .recipe = ""});
  ASSERT_TRUE(chosen.has_value());
  const auto imported = importers::import_text(kScript, *chosen, "run.sh");
  EXPECT_EQ(value(imported, "parallelism.tp"), "2");
  EXPECT_EQ(value(imported, "software.precision"), "fp8");
  EXPECT_FALSE(kScript->choose("a: 1\nb: 2\n", "f", {.variables = {"TP=2"}, .recipe = ""}));
  EXPECT_THROW(kScript->choose(text, "f", {.variables = {"TP"}, .recipe = ""}), core::ConfigError);
  EXPECT_THROW(importers::import_files({{{}, sample("hugging_face/gpt2.json")}},
                                       {.variables = {"TP=2"}, .recipe = ""}),
               core::ConfigError);
}

TEST(ImportScripts, TakesAChosenRecipe) {
  const std::string text =
      "from megatron.bridge.training.config import ConfigContainer\n\n"
      "def small_pretrain_config() -> ConfigContainer:\n    cfg = _common()\n"
      "    cfg.model.tensor_model_parallel_size = 2\n    return cfg\n\n"
      "def large_pretrain_config() -> ConfigContainer:\n    cfg = _common()\n"
      "    cfg.model.tensor_model_parallel_size = 8\n    return cfg\n";
  const std::string refused = refusal(kBridgeKind, text);
  EXPECT_NE(refused.find("choose one with --recipe: small_pretrain_config, large_pretrain_config"),
            std::string::npos)
      << refused;
  const auto chosen =
      kBridgeKind->choose(text, "r.py", {.variables = {}, .recipe = "large_pretrain_config"});
  ASSERT_TRUE(chosen.has_value());
  EXPECT_EQ(value(importers::import_text(kBridgeKind, *chosen, "r.py"), "parallelism.tp"), "8");
  // One that takes another of the module, with a key of its own.
  const auto derived =
      kBridgeKind->choose(text +
                              "\ndef long_pretrain_config():\n    cfg = large_pretrain_config()\n"
                              "    cfg.model.seq_length = 65536\n    return cfg\n",
                          "r.py", {.variables = {}, .recipe = "long_pretrain_config"});
  ASSERT_TRUE(derived.has_value());
  const auto whole = importers::import_text(kBridgeKind, *derived, "r.py");
  EXPECT_EQ(value(whole, "parallelism.tp"), "8");
  EXPECT_EQ(value(whole, "workload.sequence_length"), "65536");
  EXPECT_THROW(kBridgeKind->choose(text, "r.py", {.variables = {}, .recipe = "huge_config"}),
               core::ConfigError);
}

TEST(ImportScripts, ReadsValuesOfServingCharts) {
  const auto stack = importers::import_text(
      kServed,
      "servingEngineSpec:\n  modelSpec:\n  - name: one\n    repository: vllm/vllm-openai\n"
      "    modelURL: Qwen/Qwen2.5-14B-Instruct\n    replicaCount: 3\n    requestGPU: 4\n"
      "    vllmConfig:\n      v1: 1\n      enablePrefixCaching: true\n      tensorParallelSize: 4\n"
      "      maxModelLen: 8192\n      extraArgs: [\"--enforce-eager\", \"--max-num-seqs\", "
      "\"96\"]\n",
      "values.yaml");
  EXPECT_EQ(value(stack, "inference.tp"), "4");
  EXPECT_EQ(value(stack, "inference.engine.max_batch"), "96");
  EXPECT_EQ(value(stack, "inference.engine.max_graph_batch"), "0");
  EXPECT_NE(not_expressed(stack).find("replicas 3"), std::string::npos);
  const auto service = importers::import_text(
      kServed,
      "apiVersion: serving.kserve.io/v1alpha1\nkind: LLMInferenceService\nspec:\n  model:\n"
      "    uri: hf://meta-llama/Llama-3.1-70B-Instruct\n  replicas: 2\n  parallelism:\n"
      "    tensor: 4\n  template:\n    containers:\n    - name: main\n      args: "
      "[\"--max-num-seqs=64\"]\n"
      "  prefill:\n    replicas: 1\n    parallelism: {tensor: 2, data: 4, expert: true}\n",
      "service.yaml");
  EXPECT_EQ(value(service, "inference.tp"), "4");
  EXPECT_EQ(value(service, "inference.model"), "~llama-3.1-70b");
  EXPECT_EQ(value(service, "inference.disaggregated.prefill_tp"), "8");
  EXPECT_EQ(value(service, "inference.disaggregated.decode_replicas"), "2");
  // A recipe leaves the division to who follows it.
  const auto recipe = importers::import_text(
      kServed,
      "model:\n  model_id: Qwen/Qwen3-8B\n  base_args: [\"--max-num-batched-tokens\", \"4096\"]\n"
      "compatible_strategies: [single_node_tp]\nguide: |\n  vllm serve x --tensor-parallel-size "
      "2\n",
      "recipe.yaml");
  EXPECT_EQ(value(recipe, "inference.tp"), "absent");
  EXPECT_EQ(value(recipe, "inference.engine.max_tokens"), "4096");
  EXPECT_FALSE(reason(recipe, "--tensor-parallel-size").empty());
}

TEST(ImportScripts, ReadsACommandWithoutOptions) {
  const auto imported = importers::import_text(kServed, "vllm serve Qwen/Qwen3-8B\n", "run.sh");
  EXPECT_EQ(value(imported, "inference.model"), "~qwen3-8b");
}

TEST(ImportScripts, DropsWhatFollowsFromAnOpenOption) {
  const auto imported = script(
      "TP=1\nif [ $DO = true ]; then\n  MORE=\"--use-distributed-optimizer "
      "--swiglu\"\nfi\n");
  EXPECT_EQ(value(imported, "software.zero_stage"), "absent");
  EXPECT_EQ(value(imported, "workload.model"), "absent");
  EXPECT_NE(reason(imported, "software.zero_stage").find("[ $DO = true ]"), std::string::npos);
}

TEST(ImportScripts, ReadsDegreesOfOlderStacks) {
  const auto stages = script("TP=1\nMORE=\"--pipe-parallel-size 6\"\n");
  EXPECT_EQ(value(stages, "parallelism.pp"), "6");
  const auto words = importers::import_text(
      kScript,
      "python pretrain_gpt.py --num-layers 2 --hidden-size 64 --num-attention-heads 2 "
      "--tokenizer-type PretrainedFromHF --pad-vocab-size-to 250880\n",
      "run.sh");
  EXPECT_NE(value(words, "workload.model").find("vocabulary_size: 250880"), std::string::npos);
  const auto sequences = script("TP=1\nMORE=\"--ds-sequence-parallel-size 4\"\n");
  EXPECT_EQ(value(sequences, "parallelism.cp"), "4");
  EXPECT_EQ(value(sequences, "software.context_exchange"), "all_to_all");
}

TEST(ImportScripts, CompletesOptionsAsArgparseDoes) {
  const auto imported = importers::import_text(
      kServed, "vllm serve Qwen/Qwen3-8B --tensor-parallel 8 --max-num-seq 32\n", "run.sh");
  EXPECT_EQ(value(imported, "inference.tp"), "8");
  EXPECT_EQ(value(imported, "inference.engine.max_batch"), "32");
  const auto group = importers::import_text(
      kServed,
      "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nspec:\n  replicas: 1\n"
      "  leaderWorkerTemplate:\n    size: 2\n    leaderTemplate:\n      spec:\n        "
      "containers:\n"
      "        - {image: vllm/vllm-openai, args: [serve, Qwen/Qwen3-8B, --tensor-parallel-size, "
      "\"8\"]}\n"
      "    workerTemplate:\n      spec:\n        containers:\n"
      "        - {image: vllm/vllm-openai, args: [worker, --block]}\n",
      "lws.yaml");
  EXPECT_EQ(value(group, "inference.tp"), "8");
}

}  // namespace
}  // namespace railwright::test
