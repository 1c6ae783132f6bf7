# SPDX-License-Identifier: Apache-2.0
# Written by scripts/write_result_types.py: what type checkers know of the attributes of results. An
# attribute that a result lacks, such as a number of storage without storage, raises AttributeError, and
# a number that was not found is None.
from typing import Any

from railwright._comparisons import (
    ComparisonResult,
    MixesResult,
    ServicesResult,
    SideBySideResult,
)
from railwright._planning import (
    CalibrationResult,
    SearchResult,
    ServingSearchResult,
    SizingResult,
    SuiteFitResult,
)
from railwright._results import (
    BenchmarkResult,
    InferenceResult,
    JobsResult,
    PostTrainingResult,
    QueueResult,
    Result,
    SimulationResult,
)

class SimulationLayout(Result):
    tp: int
    pp: int
    dp: int
    virtual_stages: int

class SimulationMemory(Result):
    parameters_bytes: float
    gradients_bytes: float
    optimizer_state_bytes: float
    activations_bytes: float
    recomputed_layer_bytes: float
    logits_bytes: float
    framework_bytes: float
    gathered_layers_bytes: float
    def __getattr__(self, name: str) -> Any: ...

class SimulationFabricLeaf(Result):
    switches: int
    ports_down: int
    ports_up: int
    oversubscription: float

class SimulationFabricSpine(Result):
    switches: int
    ports_down: int
    ports_up: int
    oversubscription: float

class SimulationFabricShortfall(Result):
    needed: float
    available: float

class SimulationFabricCore(Result):
    switches: int
    ports_down: int
    ports_up: int
    oversubscription: float

class SimulationFabric(Result):
    switches: int
    ports_used: int
    ports_free: int
    leaf: SimulationFabricLeaf
    oversubscription: float
    bisection_bytes_per_s: float
    rack_units: int
    power_w: float
    spine: SimulationFabricSpine
    shortfall: SimulationFabricShortfall
    core: SimulationFabricCore
    def __getattr__(self, name: str) -> Any: ...

class SimulationStorageNodesNeeded(Result):
    checkpoint_stall: int
    restore: int
    capacity: int
    def __getattr__(self, name: str) -> Any: ...

class SimulationStorage(Result):
    raw_capacity_bytes: float
    usable_capacity_bytes: float
    checkpoint_bytes: int
    checkpoint_files: int
    checkpoint_time_s: float
    num_checkpoints: float
    mean_write_bytes_per_s: float
    peak_write_bytes_per_s: float
    peak_read_bytes_per_s: float
    restore_bytes: int
    restore_time_s: float
    bytes_written: float
    bytes_read: float
    local_checkpoint_bytes: int
    local_checkpoint_time_s: float
    local_peak_write_bytes_per_s: float
    local_restore_time_s: float
    num_local_restores: float
    num_drained: float
    local_bytes_written: float
    local_bytes_read: float
    local_max_used_bytes: float
    local_capacity_bytes: float
    run_peak_read_bytes_per_s: float
    run_peak_write_bytes_per_s: float
    run_95th_read_bytes_per_s: float
    run_95th_write_bytes_per_s: float
    run_mean_read_bytes_per_s: float
    run_mean_write_bytes_per_s: float
    run_peak_node_read_bytes_per_s: float
    run_peak_node_write_bytes_per_s: float
    run_peak_operations_per_s: float
    peak_processor_load: float
    max_used_bytes: float
    reader_cores_per_node: float
    replication_bytes: float
    replication_left_bytes: float
    replication_backlog_bytes: float
    replication_max_age_s: float
    archive_bytes: float
    archive_left_bytes: float
    archive_backlog_bytes: float
    archive_max_age_s: float
    archive_max_used_bytes: float
    archive_usable_bytes: float
    snapshot_time_s: float
    snapshot_bytes_per_node: float
    nodes_needed: SimulationStorageNodesNeeded
    local_peer_restore_time_s: float
    full_after_s: float

class SimulationRunFailures(Result):
    accelerator: float
    nic: float
    node: float
    link: float
    software: float
    storage_node: float
    power: float
    switch: float
    pdu: float
    rack: float
    coolant_loop: float

class SimulationRun(Result):
    steps_s: float
    slow_steps_s: float
    data_stall_s: float
    checkpoint_stall_s: float
    evaluation_s: float
    start_up_s: float
    lost_work_s: float
    restart_s: float
    restore_s: float
    num_interruptions: float
    failures: SimulationRunFailures
    mean_time_to_interruption_s: float
    young_interval_s: float
    daly_interval_s: float
    best_interval_s: float

class SimulationBreakdown(Result):
    matrix_products: float
    attention: float
    elementwise: float
    kernel_gaps: float
    overlap_slowdown: float
    tensor_parallel: float
    expert_parallel: float
    context_parallel: float
    pipeline_transfer: float
    pipeline_bubble: float
    gradient_reduce: float
    parameter_gather: float
    optimizer: float
    overhead: float

class SimulationLinksScaleUp(Result):
    utilization: float
    busiest_link_bytes: float

class SimulationLinksPcie(Result):
    utilization: float
    busiest_link_bytes: float

class SimulationLinksInjection(Result):
    utilization: float
    busiest_link_bytes: float

class SimulationLinksFabric(Result):
    utilization: float
    busiest_link_bytes: float

class SimulationLinksHost(Result):
    utilization: float
    busiest_link_bytes: float

class SimulationLinks(Result):
    scale_up: SimulationLinksScaleUp
    pcie: SimulationLinksPcie
    injection: SimulationLinksInjection
    fabric: SimulationLinksFabric
    host: SimulationLinksHost
    def __getattr__(self, name: str) -> Any: ...

class SimulationPowerMean(Result):
    nodes_w: float
    accelerators_w: float
    hosts_w: float
    nics_w: float
    fans_w: float
    power_supplies_w: float
    switches_w: float
    transceivers_w: float
    storage_nodes_w: float
    cpu_nodes_w: float

class SimulationPowerPeak(Result):
    nodes_w: float
    accelerators_w: float
    hosts_w: float
    nics_w: float
    fans_w: float
    power_supplies_w: float
    switches_w: float
    transceivers_w: float
    storage_nodes_w: float
    cpu_nodes_w: float

class SimulationPower(Result):
    mean_power_w: float
    peak_power_w: float
    idle_power_w: float
    node_step_w: float
    stop_swing_w: float
    to_liquid_w: float
    clock: float
    mean: SimulationPowerMean
    peak: SimulationPowerPeak
    step_swing_w: float
    step_ramp_w_per_s: float

class SimulationEnergy(Result):
    energy_j: float
    steps_j: float
    slow_steps_j: float
    data_stall_j: float
    checkpoint_stall_j: float
    evaluation_j: float
    start_up_j: float
    lost_work_j: float
    restart_j: float
    restore_j: float
    per_sample_j: float
    per_token_j: float
    carbon_kg: float

class SimulationBasis(Result):
    kind: str
    left_out: int
    fitted: int
    median_error: float
    percentile_90: float
    memory_median: float
    changes: list[str]
    assumed: list[str]
    says: str
    def __getattr__(self, name: str) -> Any: ...

class SimulationUnstatedOthers(Result):
    value: str
    step_time_s: float
    change: float
    stacks: list[str]

class SimulationUnstated(Result):
    setting: str
    value: str
    others: list[SimulationUnstatedOthers]

class SimulationBusiestLinks(Result):
    name: str
    tier: str
    utilization: float
    bytes: float
    multiplicity: int

class SimulationParts(Result):
    kind: str
    name: str
    count: int

class SimulationHangsOn(Result):
    answer: str
    at_low: float
    at_value: float
    at_high: float
    number: str
    entry: str
    low: str
    value: str
    high: str
    source: str
    measure_by: str

class SimulationCostPurchases(Result):
    kind: str
    name: str
    count: int
    each_usd: float

class SimulationCostRentUsd(Result):
    on_demand: float
    reserved: float
    spot: float
    def __getattr__(self, name: str) -> Any: ...

class SimulationCostRentTimeS(Result):
    on_demand: float
    reserved: float
    spot: float
    def __getattr__(self, name: str) -> Any: ...

class SimulationCost(Result):
    capital_usd: float
    electricity_usd: float
    maintenance_usd: float
    staff_usd: float
    software_usd: float
    labour_usd: float
    residual_usd: float
    ownership_usd: float
    run_usd: float
    run_electricity_usd: float
    usd_per_million_samples: float
    usd_per_million_tokens: float
    prices: str
    partial: bool
    unpriced: list[Any]
    purchases: list[SimulationCostPurchases]
    rent_usd: SimulationCostRentUsd
    rent_time_s: SimulationCostRentTimeS

class SimulationOffload(Result):
    def __getattr__(self, name: str) -> Any: ...

class SimulationClosedFormError(Result):
    usual: float
    largest: float

class SimulationChosen(Result):
    key: str
    value: str
    why: str

class SimulationSmallestChange(Result):
    setting: str
    memory_per_accelerator_bytes: float
    step_time_s: float

class SimulationPlacement(Result):
    draws: float
    step_time_low_s: float
    step_time_high_s: float

class SimulationFields:
    name: str
    method: str
    feasible: bool
    infeasible: list[str]
    limit: str
    num_accelerators: int
    num_parameters: int
    samples_per_step: int
    tokens_per_step: int
    steps: int
    num_microbatches: int
    layout: SimulationLayout
    bubble_fraction: float
    memory_per_accelerator_bytes: float
    memory_reserved_bytes: float
    memory_capacity_bytes: float
    memory: SimulationMemory
    model_state_bytes: float
    fabric: SimulationFabric
    storage: SimulationStorage
    step_time_s: float
    step_time_low_s: float
    step_time_high_s: float
    training_time_s: float
    training_time_low_s: float
    training_time_high_s: float
    effective_training_time: float
    run: SimulationRun
    samples_per_s: float
    tokens_per_s: float
    model_flops_utilization: float
    model_flops_utilization_causal: float
    hardware_flops_utilization: float
    breakdown: SimulationBreakdown
    links: SimulationLinks
    power: SimulationPower
    energy: SimulationEnergy
    basis: SimulationBasis
    unstated: list[SimulationUnstated]
    busiest_links: list[SimulationBusiestLinks]
    parts: list[SimulationParts]
    hangs_on: list[SimulationHangsOn]
    cost: SimulationCost
    offload: SimulationOffload
    closed_form_error: SimulationClosedFormError
    chosen: list[SimulationChosen]
    smallest_change: SimulationSmallestChange
    placement: SimulationPlacement

class JobsJobsRunFailures(Result):
    accelerator: float
    nic: float
    node: float
    link: float
    software: float
    storage_node: float
    power: float
    switch: float
    pdu: float
    rack: float
    coolant_loop: float

class JobsJobsRun(Result):
    steps_s: float
    slow_steps_s: float
    data_stall_s: float
    checkpoint_stall_s: float
    evaluation_s: float
    start_up_s: float
    lost_work_s: float
    restart_s: float
    restore_s: float
    num_interruptions: float
    failures: JobsJobsRunFailures

class JobsJobsStorage(Result):
    checkpoint_bytes: int
    checkpoint_files: int
    checkpoint_time_s: float
    num_checkpoints: float
    mean_write_bytes_per_s: float
    peak_write_bytes_per_s: float
    peak_read_bytes_per_s: float
    restore_bytes: int
    restore_time_s: float
    bytes_written: float
    bytes_read: float

class JobsJobsLoad(Result):
    time_s: float
    time_alone_s: float
    busy_share: float
    bytes_written: float
    bytes_read: float
    write_bytes: float
    every_s: float
    num_writes: float
    write_time_s: float
    write_time_alone_s: float
    read_back_alone_s: float
    read_bytes_per_s: float
    share_read: float

class JobsJobs(Result):
    name: str
    alone_training_time_s: float
    step_time_s: float
    step_time_alone_s: float
    step_time_low: float
    step_time_high: float
    training_time_s: float
    training_time_low_s: float
    training_time_high_s: float
    effective_training_time: float
    run: JobsJobsRun
    storage: JobsJobsStorage
    load: JobsJobsLoad

class JobsPowerMean(Result):
    nodes_w: float
    nodes_in_steps_w: float
    nodes_waiting_w: float
    nodes_without_job_w: float
    switches_w: float
    transceivers_w: float
    storage_nodes_w: float
    cpu_nodes_w: float

class JobsPower(Result):
    mean_power_w: float
    peak_power_w: float
    idle_power_w: float
    clock: float
    mean: JobsPowerMean

class JobsEnergy(Result):
    energy_j: float

class JobsStorageNodesNeeded(Result):
    checkpoint_stall: int
    restore: int
    capacity: int

class JobsStorage(Result):
    run_peak_read_bytes_per_s: float
    run_peak_write_bytes_per_s: float
    run_95th_read_bytes_per_s: float
    run_95th_write_bytes_per_s: float
    run_mean_read_bytes_per_s: float
    run_mean_write_bytes_per_s: float
    run_peak_node_read_bytes_per_s: float
    run_peak_node_write_bytes_per_s: float
    run_peak_operations_per_s: float
    peak_processor_load: float
    max_used_bytes: float
    node: str
    num_nodes: int
    nodes_needed: JobsStorageNodesNeeded

class JobsHangsOn(Result):
    answer: str
    at_low: float
    at_value: float
    at_high: float
    number: str
    entry: str
    low: str
    value: str
    high: str
    source: str
    measure_by: str

class JobsPools(Result):
    name: str
    node: str
    num_nodes: int
    num_accelerators: int
    mean_power_w: float
    energy_j: float
    tokens: float
    tokens_per_s: float
    energy_per_token_j: float
    ownership_usd: float
    ownership_is_partial: bool
    usd_per_million_tokens: float

class JobsDividedStepsEvenParts(Result):
    pool: str
    num_replicas: int
    micro_batches: int
    time_s: float

class JobsDividedStepsEven(Result):
    step_time_s: float
    parts: list[JobsDividedStepsEvenParts]

class JobsDividedStepsBalancedParts(Result):
    pool: str
    num_replicas: int
    micro_batches: int
    time_s: float

class JobsDividedStepsBalanced(Result):
    step_time_s: float
    parts: list[JobsDividedStepsBalancedParts]

class JobsDividedSteps(Result):
    job: str
    division: str
    exchange_s: float
    even: JobsDividedStepsEven
    balanced: JobsDividedStepsBalanced

class JobsFields:
    name: str
    feasible: bool
    infeasible: list[Any]
    jobs: list[JobsJobs]
    num_jobs: int
    num_accelerators: int
    makespan_s: float
    mean_slowdown: float
    max_slowdown: float
    effective_training_time: float
    checkpoint_stall_fraction: float
    data_stall_fraction: float
    num_interruptions: float
    power: JobsPower
    energy: JobsEnergy
    storage: JobsStorage
    num_replicas: int
    hangs_on: list[JobsHangsOn]
    pools: list[JobsPools]
    shared_ownership_usd: float
    ownership_usd: float
    divided_steps: list[JobsDividedSteps]
    settings: list[str]
    smaller: str

class QueueSizes(Result):
    name: str
    num_jobs: int
    share_of_time: float
    wait_mean_s: float
    wait_p50_s: float
    wait_p90_s: float
    wait_p99_s: float

class QueueOverTime(Result):
    time_s: float
    occupied: float
    waiting: float
    wanted: float
    power_w: float

class QueueFields:
    name: str
    feasible: bool
    infeasible: list[Any]
    num_jobs: int
    num_accelerators: int
    duration_s: float
    occupied_fraction: float
    useful_fraction: float
    down_fraction: float
    num_interruptions: int
    most_waiting: int
    spread_fraction: float
    wait_mean_s: float
    wait_p50_s: float
    wait_p90_s: float
    wait_p99_s: float
    mean_power_w: float
    peak_power_w: float
    energy_j: float
    sizes: list[QueueSizes]
    over_time: list[QueueOverTime]
    settings: list[str]
    smaller: str

class BenchmarkAlgorithms(Result):
    algorithm: str
    protocol: str
    time_s: float

class BenchmarkTryNext(Result):
    settings: list[str]
    time_s: float
    saving: float

class BenchmarkBusiestLinks(Result):
    name: str
    tier: str
    utilization: float
    bytes: float
    multiplicity: int

class BenchmarkFields:
    name: str
    feasible: bool
    op: str
    algorithm: str
    protocol: str
    infeasible: list[Any]
    num_ranks: int
    size_bytes: float
    num_channels: int
    time_s: float
    latency_s: float
    bus_bandwidth_bytes_per_s: float
    algorithms: list[BenchmarkAlgorithms]
    try_next: list[BenchmarkTryNext]
    busiest_links: list[BenchmarkBusiestLinks]

class InferenceMemory(Result):
    weights_bytes: float
    kv_cache_bytes: float
    activations_bytes: float
    reserved_bytes: float

class InferencePrefillBreakdown(Result):
    compute_s: float
    bandwidth_s: float
    gaps_s: float
    communication_s: float
    host_s: float
    stall_s: float

class InferenceDecodeBreakdown(Result):
    compute_s: float
    bandwidth_s: float
    gaps_s: float
    communication_s: float
    host_s: float
    stall_s: float

class InferencePower(Result):
    mean_power_w: float
    peak_power_w: float
    busy_fraction: float

class InferenceEnergy(Result):
    per_token_j: float

class InferenceParts(Result):
    kind: str
    name: str
    count: int

class InferenceRunTimeToFirstToken(Result):
    mean_s: float
    p50_s: float
    p90_s: float
    p99_s: float
    mean_s_low: float
    mean_s_high: float

class InferenceRunTimePerOutputToken(Result):
    mean_s: float
    p50_s: float
    p90_s: float
    p99_s: float
    mean_s_low: float
    mean_s_high: float

class InferenceRunLatency(Result):
    mean_s: float
    p50_s: float
    p90_s: float
    p99_s: float

class InferenceRunTransfer(Result):
    mean_s: float
    p50_s: float
    p90_s: float
    p99_s: float

class InferenceRun(Result):
    num_requests: int
    num_replicas: int
    mean_replicas: float
    rejected: int
    duration_s: float
    requests_per_s: float
    output_tokens_per_s: float
    time_to_first_token: InferenceRunTimeToFirstToken
    time_per_output_token: InferenceRunTimePerOutputToken
    latency: InferenceRunLatency
    mean_batch: float
    busy_fraction: float
    cache_fraction: float
    preemptions: int
    within_latencies: float
    goodput_requests_per_s: float
    prefill_busy_fraction: float
    decode_busy_fraction: float
    transfer_busy_fraction: float
    transfer: InferenceRunTransfer

class InferenceDisaggregated(Result):
    prefill_tp: int
    prefill_replicas: int
    decode_replicas: int
    prefill_memory_bytes: float
    prefill_batch: float
    prefill_requests_per_s: float
    decode_requests_per_s: float
    transfer_bytes: float
    transfer_s: float
    transfer_busy_fraction: float

class InferenceFiles(Result):
    start_of_one_replica_s: float
    start_of_all_replicas_s: float
    prefix_bytes: float
    prefix_read_s: float
    read_bytes_per_s: float
    written_bytes_per_s: float
    storage_busy_fraction: float

class InferencePrefixCacheAccelerators(Result):
    tokens: float
    hit_rate: float
    read_bytes_per_s: float
    written_bytes_per_s: float
    busy_fraction: float

class InferencePrefixCacheStorage(Result):
    tokens: float
    hit_rate: float
    read_bytes_per_s: float
    written_bytes_per_s: float
    busy_fraction: float

class InferencePrefixCache(Result):
    hit_rate: float
    largest_hit_rate: float
    wanted_tokens: float
    wanted_bytes: float
    storage_nodes: int
    read_s: float
    accelerators: InferencePrefixCacheAccelerators
    storage: InferencePrefixCacheStorage
    def __getattr__(self, name: str) -> Any: ...

class InferenceOffload(Result):
    tier: str
    bytes: float
    bytes_per_s: float
    time_s: float

class InferenceChosen(Result):
    key: str
    value: str
    why: str

class InferenceFields:
    name: str
    feasible: bool
    infeasible: list[str]
    limit: str
    batch_limit: str
    launch: list[str]
    num_parameters: int
    weights_bytes: float
    tp: int
    pp: int
    memory: InferenceMemory
    memory_per_accelerator_bytes: float
    memory_capacity_bytes: float
    kv_cache_bytes_per_token: float
    memory_levels: int
    batch: float
    largest_batch: int
    prefill_s: float
    prefill_breakdown: InferencePrefillBreakdown
    decode_s: float
    decode_breakdown: InferenceDecodeBreakdown
    time_to_first_token_s: float
    time_per_output_token_s: float
    busy_fraction: float
    accelerator_tokens_per_s: float
    node_tokens_per_s: float
    node_tokens_per_s_low: float
    node_tokens_per_s_high: float
    node_requests_per_s: float
    num_replicas: int
    num_accelerators: int
    nodes_for_load: int
    num_nodes: int
    num_nodes_high: int
    power: InferencePower
    energy: InferenceEnergy
    parts: list[InferenceParts]
    run: InferenceRun
    disaggregated: InferenceDisaggregated
    files: InferenceFiles
    prefix_cache: InferencePrefixCache
    offload: InferenceOffload
    settings: list[str]
    smaller: str
    hangs_on: list[Any]
    chosen: list[InferenceChosen]

class PostTrainingBreakdown(Result):
    rollout_s: float
    reward_s: float
    log_probs_s: float
    reference_s: float
    update_s: float
    weights_s: float
    offload_s: float

class PostTrainingRollout(Result):
    tp: int
    num_replicas: int
    memory_bytes: float
    busy_fraction: float
    mean_batch: float
    output_tokens_per_s: float

class PostTrainingFields:
    name: str
    feasible: bool
    infeasible: list[Any]
    num_accelerators: int
    trainer_accelerators: int
    samples_per_step: int
    updates_per_step: int
    num_steps: int
    sequence_length: int
    tokens_per_step: float
    output_tokens_per_step: float
    trainer_memory_bytes: float
    step_time_s: float
    total_time_s: float
    breakdown: PostTrainingBreakdown
    tail_s: float
    idle_fraction: float
    rollout_idle_fraction: float
    trainer_idle_fraction: float
    tokens_per_s: float
    output_tokens_per_s: float
    samples_per_s: float
    rollout: PostTrainingRollout
    mean_power_w: float
    weights_bytes: float
    limit: str

class ComparisonRowsCells(Result):
    value: str
    published_training_time_s: float
    relative_error: float
    effect_s: float
    result: SimulationResult

class ComparisonRows(Result):
    name: str
    fitted: bool
    source: str
    rounding_s: float
    cells: list[ComparisonRowsCells]

class ComparisonErrors(Result):
    num_cells: int
    mean_absolute_error: float
    largest_absolute_error: float

class ComparisonAssumptionsAsInstalledCells(Result):
    value: str
    published_training_time_s: float
    relative_error: float
    effect_s: float
    result: SimulationResult

class ComparisonAssumptionsAsInstalled(Result):
    name: str
    fitted: bool
    source: str
    rounding_s: float
    cells: list[ComparisonAssumptionsAsInstalledCells]

class ComparisonAssumptionsFit(Result):
    compute_efficiency: float
    nic_efficiency: float
    largest_residual: float

class ComparisonAssumptionsErrors(Result):
    num_cells: int
    mean_absolute_error: float
    largest_absolute_error: float

class ComparisonAssumptionsRefittedCells(Result):
    value: str
    published_training_time_s: float
    relative_error: float
    effect_s: float
    result: SimulationResult

class ComparisonAssumptionsRefitted(Result):
    name: str
    fitted: bool
    source: str
    rounding_s: float
    cells: list[ComparisonAssumptionsRefittedCells]

class ComparisonAssumptions(Result):
    name: str
    as_installed: list[ComparisonAssumptionsAsInstalled]
    fit: ComparisonAssumptionsFit
    errors: ComparisonAssumptionsErrors
    refitted: list[ComparisonAssumptionsRefitted]

class ComparisonCurvesBasis(Result):
    kind: str
    left_out: int
    fitted: int
    median_error: float
    percentile_90: float
    memory_median: float
    changes: list[Any]
    assumed: list[str]
    says: str
    def __getattr__(self, name: str) -> Any: ...

class ComparisonCurvesLinesPlacesPoints(Result):
    value: str
    feasible: bool
    step_time_s: float
    step_time_low_s: float
    step_time_high_s: float
    samples_per_s: float
    worth: float
    worth_low: float
    worth_high: float

class ComparisonCurvesLinesPlaces(Result):
    at: str
    points: list[ComparisonCurvesLinesPlacesPoints]

class ComparisonCurvesLines(Result):
    variant: str
    places: list[ComparisonCurvesLinesPlaces]

class ComparisonCurves(Result):
    name: str
    key: str
    basis: ComparisonCurvesBasis
    lines: list[ComparisonCurvesLines]

class ComparisonFields:
    name: str
    key: str
    values: list[str]
    feasible: bool
    rows: list[ComparisonRows]
    errors: ComparisonErrors
    assumptions: list[ComparisonAssumptions]
    curves: list[ComparisonCurves]

class SearchCounts(Result):
    points: int
    legal: int
    fitting: int
    estimated: int
    transfers: int

class SearchBest(Result):
    settings: list[str]
    variant: str
    rank_order: str
    tp: int
    cp: int
    pp: int
    virtual_stages: int
    dp: int
    ep: int
    etp: int
    micro_batch: int
    global_batch: int
    zero_stage: int
    sequence_parallel: bool
    recompute: str
    memory_per_accelerator_bytes: float
    estimated_step_time_s: float
    simulated_step_time_s: float
    samples_per_s: float

class SearchOwn(Result):
    settings: list[Any]
    variant: str
    rank_order: str
    tp: int
    cp: int
    pp: int
    virtual_stages: int
    dp: int
    ep: int
    etp: int
    micro_batch: int
    global_batch: int
    zero_stage: int
    sequence_parallel: bool
    recompute: str
    memory_per_accelerator_bytes: float
    estimated_step_time_s: float
    simulated_step_time_s: float
    samples_per_s: float

class SearchBasis(Result):
    kind: str
    left_out: int
    fitted: int
    median_error: float
    percentile_90: float
    memory_median: float
    changes: list[str]
    assumed: list[str]
    says: str
    def __getattr__(self, name: str) -> Any: ...

class SearchChosen(Result):
    key: str
    value: str
    why: str

class SearchFields:
    name: str
    objective: str
    feasible: bool
    num_accelerators: int
    memory_capacity_bytes: float
    step_time_low: float
    step_time_high: float
    counts: SearchCounts
    best: list[SearchBest]
    front: list[Any]
    own: SearchOwn
    min_memory: Any
    basis: SearchBasis
    selection: str
    chosen: list[SearchChosen]

class SizingSizedConfiguration(Result):
    tp: int
    cp: int
    ep: int
    pp: int
    virtual_stages: int
    dp: int
    micro_batch: int
    global_batch: int
    zero_stage: int
    recompute: str
    sequence_parallel: bool

class SizingSizedRacks(Result):
    nodes_per_rack: int
    of_nodes: int
    of_others: int
    count: int
    largest_power_w: float

class SizingSizedHangsOn(Result):
    answer: str
    at_low: float
    at_value: float
    at_high: float
    number: str
    entry: str
    low: str
    value: str
    high: str
    source: str
    measure_by: str

class SizingSizedStepsDown(Result):
    what: str
    misses: str

class SizingSized(Result):
    option: str
    settings: list[str]
    num_nodes: int
    num_spares: int
    num_storage_nodes: int
    num_accelerators: int
    configuration: SizingSizedConfiguration
    training_time_at_confidence_s: float
    deadline_probability: float
    tokens: float
    peak_power_w: float
    racks: SizingSizedRacks
    result: SimulationResult
    binds: str
    hangs_on: list[SizingSizedHangsOn]
    steps_down: list[SizingSizedStepsDown]

class SizingMissed(Result):
    option: str
    why: str

class SizingFastestConfiguration(Result):
    tp: int
    cp: int
    ep: int
    pp: int
    virtual_stages: int
    dp: int
    micro_batch: int
    global_batch: int
    zero_stage: int
    recompute: str
    sequence_parallel: bool

class SizingFastestRacks(Result):
    nodes_per_rack: int
    of_nodes: int
    of_others: int
    count: int
    largest_power_w: float

class SizingFastest(Result):
    option: str
    settings: list[str]
    num_nodes: int
    num_spares: int
    num_storage_nodes: int
    num_accelerators: int
    configuration: SizingFastestConfiguration
    training_time_at_confidence_s: float
    deadline_probability: float
    tokens: float
    peak_power_w: float
    racks: SizingFastestRacks
    result: SimulationResult

class SizingChosenForYou(Result):
    key: str
    value: str
    why: str

class SizingFields:
    name: str
    feasible: bool
    find: str
    deadline_s: float
    confidence: float
    sized: list[SizingSized]
    missed: list[SizingMissed]
    selection: str
    cost_is_partial: bool
    ranked_by: str
    no_price_of: list[Any]
    chosen: int
    cheapest: int
    min_power: int
    fastest: SizingFastest
    chosen_for_you: list[SizingChosenForYou]

class ExplanationBreakdown(Result):
    matrix_products: float
    attention: float
    elementwise: float
    kernel_gaps: float
    overlap_slowdown: float
    tensor_parallel: float
    expert_parallel: float
    context_parallel: float
    pipeline_transfer: float
    pipeline_bubble: float
    gradient_reduce: float
    parameter_gather: float
    optimizer: float
    overhead: float

class ExplanationElasticities(Result):
    path: str
    is_time: bool
    elasticity: float
    gain_of_1_percent: float
    loss_of_1_percent: float

class ExplanationNextLimit(Result):
    lifted: list[str]
    step_time_s: float
    next: str
    elasticity: float

class ExplanationOutages(Result):
    what: str
    feasible: bool
    step_time_s: float
    training_time_s: float
    why_not: str

class ExplanationFields:
    name: str
    method: str
    feasible: bool
    infeasible: list[Any]
    limit: str
    step_time_s: float
    training_time_s: float
    breakdown: ExplanationBreakdown
    elasticities: list[ExplanationElasticities]
    sum_of_elasticities: float
    sum_note: str
    tie_note: str
    next_limit: ExplanationNextLimit
    outages: list[ExplanationOutages]

class DiagnosisReasonsCauses(Result):
    kind: str
    what: str
    setting: str
    prior: float
    change: float
    check: str

class DiagnosisReasons(Result):
    causes: list[DiagnosisReasonsCauses]
    step_time_s: float
    change: float
    explains: bool
    plausibility: float

class DiagnosisChosen(Result):
    key: str
    value: str
    why: str

class DiagnosisFields:
    name: str
    feasible: bool
    infeasible: list[Any]
    measured_s: float
    predicted_s: float
    low_s: float
    high_s: float
    inside: bool
    num_tried: int
    reasons: list[DiagnosisReasons]
    unexplained: float
    measure: list[str]
    chosen: list[DiagnosisChosen]

class TopologyParts(Result):
    kind: str
    name: str
    count: int
    rack_units: int
    power_w: float

class TopologySwitches(Result):
    tier: str
    model: str
    count: int
    ports_down: int
    ports_up: int
    ports_free: int
    ports_slow: int
    split: str
    oversubscription: float
    rack_units: int
    power_w: float

class TopologyCables(Result):
    to: str
    cable: str
    count: int
    links: int
    rate_bytes_per_s: float
    longest_m: float
    transceivers: int
    power_w: float
    def __getattr__(self, name: str) -> Any: ...

class TopologyPools(Result):
    name: str
    topology: str
    num_nodes: int
    num_accelerators: int
    bisection_bytes_per_s: float

class TopologyChosen(Result):
    key: str
    value: str
    why: str

class TopologyDrawing(Result):
    def __getattr__(self, name: str) -> Any: ...

class TopologyBasis(Result):
    kind: str
    left_out: int
    fitted: int
    median_error: float
    percentile_90: float
    memory_median: float
    changes: list[str]
    assumed: list[str]
    says: str
    def __getattr__(self, name: str) -> Any: ...

class TopologyFields:
    name: str
    topology: str
    feasible: bool
    shortfalls: list[Any]
    num_nodes: int
    num_accelerators: int
    parts: list[TopologyParts]
    switches: list[TopologySwitches]
    cables: list[TopologyCables]
    oversubscription: float
    rack_units: int
    power_w: float
    total_rack_units: int
    total_power_w: float
    ports_used: int
    ports_free: int
    bisection_bytes_per_s: float
    bisection_per_accelerator_bytes_per_s: float
    pools: list[TopologyPools]
    chosen: list[TopologyChosen]
    drawing: TopologyDrawing
    step_time_s: float
    step_time_low_s: float
    step_time_high_s: float
    basis: TopologyBasis

class CalibrationFactorsComputeEfficiency(Result):
    value: float
    standard_error: float
    fitted: bool
    at_bound: bool

class CalibrationFactorsNicEfficiency(Result):
    value: float
    standard_error: Any
    fitted: bool
    at_bound: bool

class CalibrationFactors(Result):
    compute_efficiency: CalibrationFactorsComputeEfficiency
    nic_efficiency: CalibrationFactorsNicEfficiency

class CalibrationRunsBefore(Result):
    predicted_s: float
    low_s: float
    high_s: float
    relative_error: float
    measured_is: str

class CalibrationRuns(Result):
    name: str
    source: str
    measured_s: float
    standard_error_s: float
    before: CalibrationRunsBefore
    predicted_s: float
    relative_error: float
    left_out_relative_error: Any
    nic_share: float

class CalibrationFields:
    refused: bool
    refusal: str
    advice: str
    factors: CalibrationFactors
    correlation: Any
    model_error: float
    runs: list[CalibrationRuns]
    spread: float
    step_time_low: float
    step_time_high: float
    notes: list[str]

class SideBySideDifference(Result):
    fastest: str
    next: str
    saving: float
    saving_low: float
    saving_high: float

class SideBySideDesignsChanges(Result):
    overlap_slowdown_s: float
    gradient_reduce_s: float
    parameter_gather_s: float
    tensor_parallel_s: float
    pipeline_transfer_s: float
    pipeline_bubble_s: float

class SideBySideDesignsExchangeBuy(Result):
    kind: str
    name: str
    count: int
    each_usd: float

class SideBySideDesignsExchange(Result):
    buy: list[SideBySideDesignsExchangeBuy]
    buy_usd: float
    left_over: list[Any]
    left_over_new_usd: float
    unpriced: list[Any]

class SideBySideDesigns(Result):
    name: str
    changes: SideBySideDesignsChanges
    result: SimulationResult
    exchange: SideBySideDesignsExchange

class SideBySideFields:
    feasible: bool
    difference: SideBySideDifference
    designs: list[SideBySideDesigns]

class ServicesDesigns(Result):
    name: str
    result: InferenceResult

class ServicesFields:
    feasible: bool
    best: str
    designs: list[ServicesDesigns]

class MixesDesignsResultJobsRunFailures(Result):
    accelerator: float
    nic: float
    node: float
    link: float
    software: float
    storage_node: float
    power: float
    switch: float
    pdu: float
    rack: float
    coolant_loop: float

class MixesDesignsResultJobsRun(Result):
    steps_s: float
    slow_steps_s: float
    data_stall_s: float
    checkpoint_stall_s: float
    evaluation_s: float
    start_up_s: float
    lost_work_s: float
    restart_s: float
    restore_s: float
    num_interruptions: float
    failures: MixesDesignsResultJobsRunFailures

class MixesDesignsResultJobsStorage(Result):
    checkpoint_bytes: int
    checkpoint_files: int
    checkpoint_time_s: float
    num_checkpoints: float
    mean_write_bytes_per_s: float
    peak_write_bytes_per_s: float
    peak_read_bytes_per_s: float
    restore_bytes: int
    restore_time_s: float
    bytes_written: float
    bytes_read: float

class MixesDesignsResultJobs(Result):
    name: str
    alone_training_time_s: float
    step_time_s: float
    step_time_alone_s: float
    step_time_low: float
    step_time_high: float
    training_time_s: float
    training_time_low_s: float
    training_time_high_s: float
    effective_training_time: float
    run: MixesDesignsResultJobsRun
    storage: MixesDesignsResultJobsStorage

class MixesDesignsResultPowerMean(Result):
    nodes_w: float
    nodes_in_steps_w: float
    nodes_waiting_w: float
    nodes_without_job_w: float
    switches_w: float
    transceivers_w: float
    storage_nodes_w: float
    cpu_nodes_w: float

class MixesDesignsResultPower(Result):
    mean_power_w: float
    peak_power_w: float
    idle_power_w: float
    clock: float
    mean: MixesDesignsResultPowerMean

class MixesDesignsResultEnergy(Result):
    energy_j: float

class MixesDesignsResultStorage(Result):
    run_peak_read_bytes_per_s: float
    run_peak_write_bytes_per_s: float
    run_95th_read_bytes_per_s: float
    run_95th_write_bytes_per_s: float
    run_mean_read_bytes_per_s: float
    run_mean_write_bytes_per_s: float
    run_peak_node_read_bytes_per_s: float
    run_peak_node_write_bytes_per_s: float
    run_peak_operations_per_s: float
    peak_processor_load: float
    max_used_bytes: float
    node: str
    num_nodes: int

class MixesDesignsResult(Result):
    name: str
    feasible: bool
    infeasible: list[Any]
    jobs: list[MixesDesignsResultJobs]
    num_jobs: int
    num_accelerators: int
    makespan_s: float
    mean_slowdown: float
    max_slowdown: float
    effective_training_time: float
    checkpoint_stall_fraction: float
    data_stall_fraction: float
    num_interruptions: float
    power: MixesDesignsResultPower
    energy: MixesDesignsResultEnergy
    storage: MixesDesignsResultStorage
    num_replicas: int

class MixesDesigns(Result):
    name: str
    result: MixesDesignsResult

class MixesFields:
    feasible: bool
    best: str
    designs: list[MixesDesigns]

class ServingSearchCounts(Result):
    divisions: int
    points: int
    in_time: int

class ServingSearchBest(Result):
    settings: list[str]
    tp: int
    pp: int
    attention_dp: bool
    ep: int
    max_tokens: int
    batch: float
    meets_latencies: bool
    user_tokens_per_s: float
    result: InferenceResult
    prefill_tp: int

class ServingSearchAggregated(Result):
    settings: list[str]
    tp: int
    pp: int
    attention_dp: bool
    ep: int
    max_tokens: int
    batch: float
    meets_latencies: bool
    user_tokens_per_s: float
    result: InferenceResult

class ServingSearchFields:
    name: str
    feasible: bool
    counts: ServingSearchCounts
    best: list[ServingSearchBest]
    front: list[Any]
    why_none: Any
    aggregated: ServingSearchAggregated

class ValidationCasesTrainingUnstated(Result):
    faster: float
    slower: float

class ValidationCasesTraining(Result):
    model: str
    device: str
    software: str
    precision: str
    parallelism: str
    transport: str
    nics_per_accelerator: float
    nic_bytes_per_s: float
    fabric: str
    node: str
    sequence_length: int
    settings: list[str]
    num_differences: int
    unstated: ValidationCasesTrainingUnstated
    num_parameters: int
    num_accelerators: int
    def __getattr__(self, name: str) -> Any: ...

class ValidationCasesStepBreakdown(Result):
    matrix_products: float
    attention: float
    elementwise: float
    kernel_gaps: float
    overlap_slowdown: float
    tensor_parallel: float
    expert_parallel: float
    context_parallel: float
    pipeline_transfer: float
    pipeline_bubble: float
    gradient_reduce: float
    parameter_gather: float
    optimizer: float
    overhead: float

class ValidationCasesStep(Result):
    time_s: float
    low_s: float
    high_s: float
    breakdown: ValidationCasesStepBreakdown

class ValidationCases(Result):
    id: str
    group: str
    quantity: str
    role: str
    kind: str
    reason: str
    verdict: str
    unit: str
    published: float
    rounding: float
    predicted: float
    relative_error: float
    source: str
    product: str
    size_bytes: Any
    published_low: Any
    published_high: Any
    training: ValidationCasesTraining
    step: ValidationCasesStep
    same_baseline: Any
    constant_baseline: Any
    scenario: str
    printed: list[str]
    about: str
    def __getattr__(self, name: str) -> Any: ...

class ValidationSummaryGroupsErrors(Result):
    num_rows: int
    median: float
    mean: float
    percentile_90: float
    largest: float

class ValidationSummaryGroupsSameBaseline(Result):
    num_rows: int
    median: Any
    mean: Any
    percentile_90: Any
    largest: Any

class ValidationSummaryGroupsConstantBaseline(Result):
    num_rows: int
    median: Any
    mean: Any
    percentile_90: Any
    largest: Any

class ValidationSummaryGroups(Result):
    by: str
    name: str
    errors: ValidationSummaryGroupsErrors
    same_baseline: ValidationSummaryGroupsSameBaseline
    constant_baseline: ValidationSummaryGroupsConstantBaseline

class ValidationSummaryKindsErrors(Result):
    num_rows: int
    median: float
    mean: float
    percentile_90: float
    largest: float

class ValidationSummaryKinds(Result):
    kind: str
    num_rows: int
    num_agreeing: int
    errors: ValidationSummaryKindsErrors

class ValidationSummary(Result):
    num_calibrate: int
    num_validate: int
    num_reject: int
    num_fact: int
    num_input: int
    num_arithmetic: int
    num_outside: int
    num_unfit: int
    mean_absolute_error: float
    median_absolute_error: float
    largest_absolute_error: float
    size_classes: list[Any]
    groups: list[ValidationSummaryGroups]
    pairs: list[Any]
    kernels: list[Any]
    kinds: list[ValidationSummaryKinds]
    scaling: list[Any]
    targets: list[Any]
    band: Any
    band_scores: list[Any]
    family_spread: Any
    num_fitted_numbers: int

class ValidationNotRun(Result):
    id: str
    group: str
    missing: str

class ValidationDocumentsByRole(Result):
    calibrate: int
    validate: int
    reject: int
    fact: int
    input: int
    arithmetic: int
    outside: int

class ValidationDocuments(Result):
    name: str
    title: str
    num_numbers: int
    by_role: ValidationDocumentsByRole

class ValidationFields:
    suite: str
    cases: list[ValidationCases]
    summary: ValidationSummary
    skipped: list[Any]
    not_run: list[ValidationNotRun]
    not_covered: list[Any]
    documents: list[ValidationDocuments]

class ImportFiles(Result):
    kind: str
    file: str

class ImportValues(Result):
    path: str
    value: str
    origin: str
    assumed: bool
    file: str

class ImportAssumed(Result):
    path: str
    value: str
    origin: str
    assumed: bool
    file: str

class ImportFields:
    files: list[ImportFiles]
    values: list[ImportValues]
    not_known: list[Any]
    not_expressed: list[str]
    conflicts: list[Any]
    assumed: list[ImportAssumed]
    yaml: str
    notes: str
    problems: list[str]

# Results of verbs before it is known which kind they are: they have the attributes of all.
class AnyResult(SimulationResult, JobsResult, QueueResult, BenchmarkResult, InferenceResult, PostTrainingResult): ...  # type: ignore[misc, unused-ignore]
class AnyComparison(ComparisonResult, SideBySideResult, ServicesResult, MixesResult): ...  # type: ignore[misc, unused-ignore]
class AnySearch(SearchResult, ServingSearchResult): ...  # type: ignore[misc, unused-ignore]
class AnySizing(SizingResult, InferenceResult, QueueResult, JobsResult): ...  # type: ignore[misc, unused-ignore]
class AnyCalibration(CalibrationResult, SuiteFitResult): ...  # type: ignore[misc, unused-ignore]
