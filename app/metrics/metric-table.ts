import type { RoleLoad } from '../protocol/load';
import { bytes, bytesPerSecond, partsPerMillion, ratio, seconds } from './base-units';
import type { BoundedFacts } from './bounds';
import type { CorrectedCount } from './corrected-counts';
import type { AgentFacts, MachineFacts, MachineSample } from './facts';
import type { ExportedStream } from './frame-outcomes';

/** The one table of what is exported: exposition, docs and the test of the dashboard are made of it. */

export interface Measured {
  labels: Readonly<Record<string, string>>;
  value: number;
}

export interface ExportedMetric {
  name: string;
  type: 'counter' | 'gauge' | 'summary';
  labels: readonly string[];
  help: string;
  /** What exports it; both: console and agent. */
  by: 'console' | 'agent' | 'both';
  /** What was not measured is left out. */
  read(facts: BoundedFacts): Measured[];
}

type Labels = Readonly<Record<string, string>>;
/** One value, or several with labels of their own; null: not measured. */
type Values = number | null | undefined | readonly (readonly [Labels, number | null | undefined])[];

type Definition<Subject> = Omit<ExportedMetric, 'read' | 'labels' | 'type' | 'by'> & {
  type?: ExportedMetric['type'];
  by?: ExportedMetric['by'];
  /** Beside those of the subject. */
  labels?: readonly string[];
  of(subject: Subject): Values;
};

/** Metrics of each of several subjects, each with labels of its own. */
function ofEach<Subject>(
  labels: readonly string[],
  subjects: (facts: BoundedFacts) => readonly (readonly [Labels, Subject])[],
  by: ExportedMetric['by'],
  definitions: readonly Definition<Subject>[],
): ExportedMetric[] {
  return definitions.map(({ of, ...definition }) => ({
    ...{ type: 'gauge', by, ...definition },
    labels: [...labels, ...(definition.labels ?? [])],
    read: (facts) =>
      subjects(facts).flatMap(([own, subject]) =>
        eachOf(of(subject)).flatMap(([more, value]) =>
          typeof value === 'number' && Number.isFinite(value) ? [{ labels: { ...own, ...more }, value }] : [],
        ),
      ),
  }));
}

function eachOf(values: Values): readonly (readonly [Labels, number | null | undefined])[] {
  return typeof values === 'object' && values !== null ? values : [[{}, values]];
}

const yes = (is: boolean | null): number | null => (is === null ? null : Number(is));

/** A state as a label: the present one alone is there, and is 1. */
function state(label: string, present: string | null): Values {
  return present === null ? [] : [[{ [label]: present }, 1]];
}

function countsOf(
  { counts }: ExportedStream,
  part: keyof CorrectedCount,
): readonly (readonly [Labels, number])[] {
  return [...counts].map(([outcome, count]) => [{ outcome }, count[part]] as const);
}

const quantiles = (half: number | null, most: number | null): Values => [
  [{ quantile: '0.5' }, seconds(half)],
  [{ quantile: '0.99' }, seconds(most)],
];

const streamLabels = ['stream', 'stream_id', 'sender', 'receiver'];

const streamMetrics = ofEach<ExportedStream>(
  streamLabels,
  ({ streams, hostName, isReceiverRemote }) =>
    streams.map((stream) => {
      const { id, name, sentFrom, receivedOn } = stream.view;
      const labels = {
        ...{
          stream: name,
          stream_id: String(id),
          receiver: receivedOn ?? (isReceiverRemote ? '' : hostName),
        },
        sender: sentFrom ?? (stream.isFollowed ? '' : hostName),
      };
      return [labels, stream];
    }),
  'console',
  [
    {
      ...{ name: 'whiteline_stream_frames_total', type: 'counter', labels: ['outcome'] },
      help: 'Frames since the end of the warm-up, up to one second ago, by what became of them. Outcomes overlap: do not add them up. Subtract whiteline_stream_frames_corrected_total.',
      of: (stream) => countsOf(stream, 'counted'),
    },
    {
      ...{ name: 'whiteline_stream_frames_corrected_total', type: 'counter', labels: ['outcome'] },
      help: 'Frames that were counted as this outcome first, and are not any more, such as dropped frames that came after all.',
      of: (stream) => countsOf(stream, 'corrected'),
    },
    {
      name: 'whiteline_stream_received_frames_per_second',
      help: 'New frames received per second, over the newest second that is counted.',
      of: ({ view }) => view.deliveredFps,
    },
    {
      name: 'whiteline_stream_nominal_frames_per_second',
      help: 'Frames per second of the source.',
      of: ({ view }) => (view.framesPerSecond > 0 ? view.framesPerSecond : null),
    },
    {
      name: 'whiteline_stream_lost_frames_per_second',
      help: 'Frames lost (dropped, undecodable or spoilt) in the newest full second that is counted.',
      of: ({ view }) => view.lostNow,
    },
    {
      ...{ name: 'whiteline_stream_latency_seconds', type: 'summary', labels: ['quantile'] },
      help: 'From just before a frame is handed to its senders to its capture, of all frames since the end of the warm-up.',
      of: ({ view }) => quantiles(view.latencyP50Ms, view.latencyP99Ms),
    },
    {
      name: 'whiteline_stream_latency_uncertainty_seconds',
      help: 'How far the latency may be off, either way, since clocks of two machines are compared. Absent on one machine.',
      of: ({ view }) => seconds(view.latencyUncertaintyMs),
    },
    {
      name: 'whiteline_stream_longest_gap_seconds',
      help: 'Longest time without a new frame since the end of the warm-up.',
      of: ({ view }) => seconds(view.longestGapMs),
    },
    {
      name: 'whiteline_stream_connect_seconds',
      help: 'From the adding of the stream to its first picture.',
      of: ({ view }) => seconds(view.connectMs),
    },
    {
      name: 'whiteline_stream_audio_offset_seconds',
      help: 'How far sound comes behind its picture (above 0) or ahead of it.',
      of: ({ view }) => seconds(view.audioOffsetMs),
    },
    {
      name: 'whiteline_stream_code_health_ratio',
      help: 'How well the frame code could be read at worst; 1 is perfect.',
      of: ({ view }) => view.codeHealthMin,
    },
    {
      ...{ name: 'whiteline_stream_state', labels: ['state'] },
      help: 'The present state of the stream alone is there, and is 1; unreachable: an end of it is on a machine that is not heard. Absent of streams that others receive.',
      of: (stream) => state('state', stream.state),
    },
    {
      ...{ name: 'whiteline_stream_verdict', labels: ['verdict'] },
      help: 'The verdict of the stream so far alone is there, and is 1.',
      of: ({ view }) => state('verdict', view.verdict),
    },
  ],
);

const onEachMachine = <Subject>(
  labels: readonly string[],
  read: (machine: MachineFacts) => readonly (readonly [Labels, Subject])[],
  definitions: readonly Definition<Subject>[],
): ExportedMetric[] =>
  ofEach<Subject>(
    ['machine', ...labels],
    ({ machines }) =>
      machines.flatMap((machine) =>
        read(machine).map(([more, subject]) => [{ machine: machine.name, ...more }, subject] as const),
      ),
    'both',
    definitions,
  );

const machineMetrics = onEachMachine<MachineFacts>([], (machine) => [[{}, machine]], [
  {
    ...{ name: 'whiteline_machine_reachable', by: 'console' },
    help: '1: the agent of the machine was heard within 3.5 s; 0: it was not. Absent of the console’s own machine.',
    of: ({ isReachable }) => yes(isReachable),
  },
  {
    name: 'whiteline_machine_leased',
    help: '1: a console commands the agent of the machine; 0: none does.',
    of: ({ isLeased }) => yes(isLeased),
  },
  {
    ...{ name: 'whiteline_machine_stream_ends', labels: ['end'] },
    help: 'Senders and receivers that the agent of the machine has open.',
    of: ({ ends }) =>
      ends && [[{ end: 'sender' }, ends.sender] as const, [{ end: 'receiver' }, ends.receiver] as const],
  },
  {
    ...{ name: 'whiteline_machine_info', labels: ['version'] },
    help: 'Always 1: the version of Whiteline that the agent of the machine runs.',
    of: ({ version }) => state('version', version),
  },
  {
    ...{ name: 'whiteline_machine_clock_uncertainty_seconds', by: 'console' },
    help: 'How far a moment of the machine that is put on the console’s clock may be off, either way.',
    of: ({ clock }) => clock?.uncertaintySeconds,
  },
  {
    ...{ name: 'whiteline_machine_clock_drift_ratio', by: 'console' },
    help: 'How fast the clock of the machine runs against the console’s: 0.00001 is 10 parts per million too fast.',
    of: ({ clock }) => partsPerMillion(clock?.driftPpm),
  },
]);

const sampleMetrics = onEachMachine<MachineSample>([], ({ sample }) => (sample ? [[{}, sample]] : []), [
  {
    name: 'whiteline_machine_sample_age_seconds',
    help: 'How long ago the machine was sampled. After 3.5 s without a sample all figures of its load are absent.',
    of: ({ ageSeconds }) => ageSeconds,
  },
  {
    name: 'whiteline_machine_cpu_ratio',
    help: 'Share of all cores that was busy.',
    of: ({ cpuPercent }) => ratio(cpuPercent),
  },
  {
    name: 'whiteline_machine_cpu_busiest_core_ratio',
    help: 'Share of its time that the busiest core was busy.',
    of: ({ busiestCorePercent }) => ratio(busiestCorePercent),
  },
  {
    name: 'whiteline_machine_cpu_steal_ratio',
    help: 'Share of all cores that the hypervisor gave to others.',
    of: ({ cpuStealPercent }) => ratio(cpuStealPercent),
  },
  {
    name: 'whiteline_machine_gpu_ratio',
    help: 'Share of the GPU that was busy.',
    of: ({ gpuPercent }) => ratio(gpuPercent),
  },
  {
    name: 'whiteline_machine_memory_used_bytes',
    help: 'Memory that is in use and cannot be given up.',
    of: ({ memoryUsedMb }) => bytes(memoryUsedMb),
  },
  {
    name: 'whiteline_machine_network_receive_bytes_per_second',
    help: 'Received over the interfaces that lead out of the machine.',
    of: ({ wireReceiveMbps }) => bytesPerSecond(wireReceiveMbps),
  },
  {
    name: 'whiteline_machine_network_transmit_bytes_per_second',
    help: 'Sent over the interfaces that lead out of the machine.',
    of: ({ wireTransmitMbps }) => bytesPerSecond(wireTransmitMbps),
  },
  {
    name: 'whiteline_machine_loopback_bytes_per_second',
    help: 'Traffic over loopback.',
    of: ({ loopbackMbps }) => bytesPerSecond(loopbackMbps),
  },
  {
    name: 'whiteline_machine_network_error_packets_per_second',
    help: 'Packets with errors on the interfaces that lead out of the machine, both directions.',
    of: ({ wireErrors }) => wireErrors,
  },
  {
    name: 'whiteline_machine_network_dropped_packets_per_second',
    help: 'Packets dropped on the interfaces that lead out of the machine, both directions.',
    of: ({ wireDropped }) => wireDropped,
  },
  {
    name: 'whiteline_machine_tcp_retransmits_per_second',
    help: 'TCP segments sent again, whole machine.',
    of: ({ tcpRetransmits }) => tcpRetransmits,
  },
]);

const roleMetrics = onEachMachine<RoleLoad>(
  ['role'],
  ({ sample }) =>
    Object.entries(sample?.roles ?? {}).flatMap(([role, load]) => (load ? [[{ role }, load] as const] : [])),
  [
    {
      name: 'whiteline_role_cpu_ratio',
      help: 'Share of all cores that Whiteline’s processes of this role took. Absent where none of them runs.',
      of: ({ cpuPercent }) => ratio(cpuPercent),
    },
    {
      name: 'whiteline_role_memory_bytes',
      help: 'Resident memory of the processes of this role.',
      of: ({ memoryMb }) => bytes(memoryMb),
    },
    {
      name: 'whiteline_role_gpu_ratio',
      help: 'Share of the busiest engine of the GPU that the processes of this role took.',
      of: ({ gpuPercent }) => ratio(gpuPercent),
    },
    {
      name: 'whiteline_role_network_receive_bytes_per_second',
      help: 'Payload that the sockets of the processes of this role received.',
      of: ({ traffic }) => bytesPerSecond(traffic?.receivedMbps),
    },
    {
      name: 'whiteline_role_network_transmit_bytes_per_second',
      help: 'Payload that the sockets of the processes of this role sent, what was sent again included.',
      of: ({ traffic }) => bytesPerSecond(traffic?.sentMbps),
    },
  ],
);

const runMetrics = ofEach(
  ['experiment'],
  ({ run }) => (run ? [[{ experiment: run.experiment }, run] as const] : []),
  'console',
  [
    {
      ...{ name: 'whiteline_rows_total', type: 'counter', labels: ['verdict'] },
      help: 'Rows that the newest run has closed, by their verdict.',
      of: ({ rowVerdicts }) =>
        [...countedBy(rowVerdicts)].map(([verdict, rows]) => [{ verdict }, rows] as const),
    },
    {
      ...{ name: 'whiteline_row_verdict', labels: ['verdict'] },
      help: 'The verdict of the newest closed row alone is there, and is 1.',
      of: ({ rowVerdicts }) => state('verdict', rowVerdicts.at(-1) ?? null),
    },
    {
      ...{ name: 'whiteline_run_verdict', labels: ['verdict'] },
      help: 'The verdict of the newest run alone is there, and is 1. Absent while the run goes on.',
      of: ({ verdict }) => state('verdict', verdict),
    },
  ],
);

const agentMetrics = ofEach<AgentFacts>([], ({ agent }) => (agent ? [[{}, agent] as const] : []), 'agent', [
  {
    ...{ name: 'whiteline_agent_bus_state', labels: ['state'] },
    help: 'The present state of the agent’s connection to the fleet alone is there, and is 1: connected, reconnecting or closed.',
    of: ({ bus }) => state('state', bus),
  },
  {
    name: 'whiteline_agent_presence_age_seconds',
    help: 'How long ago the agent said what it is, which it does once a second while it is connected.',
    of: ({ presenceAgeSeconds }) => presenceAgeSeconds,
  },
  {
    name: 'whiteline_agent_streams_limit',
    help: 'Senders and receivers that the agent’s user allows a console to open.',
    of: ({ streamsLimit }) => streamsLimit,
  },
  {
    ...{ name: 'whiteline_agent_stream_hosts', labels: ['role'] },
    help: 'Stream processes that run for a console.',
    of: ({ hosts }) => Object.entries(hosts).map(([role, count]) => [{ role }, count] as const),
  },
]);

const ownMetrics = ofEach<BoundedFacts>([], (facts) => [[{}, facts]], 'both', [
  {
    ...{ name: 'whiteline_build_info', labels: ['version', 'node'] },
    help: 'Always 1: the versions of Whiteline and of Node that run here.',
    of: ({ build: { version, node } }) => [[{ version, node }, 1]],
  },
  {
    ...{ name: 'whiteline_streams', by: 'console' },
    help: 'Streams that are open, those that are not exported included.',
    of: ({ openStreams, agent }) => (agent ? null : openStreams),
  },
  {
    ...{ name: 'whiteline_truncated', labels: ['kind'] },
    help: 'What is not exported because there is more of it than the limit.',
    of: ({ truncated }) => Object.entries(truncated).map(([kind, count]) => [{ kind }, count] as const),
  },
]);

function countedBy<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

export const exportedMetrics: readonly ExportedMetric[] = [
  ...ownMetrics,
  ...streamMetrics,
  ...runMetrics,
  ...machineMetrics,
  ...sampleMetrics,
  ...roleMetrics,
  ...agentMetrics,
];
