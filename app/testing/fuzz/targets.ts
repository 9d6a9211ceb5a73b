import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { TerminalTable } from '../../cli/terminal-table';
import { parseManifest } from '../../engine/content/manifest';
import { compareRuns } from '../../engine/history/compare';
import { parseDrives } from '../../engine/machine/drives';
import { NotKnown } from '../../engine/machine/facts';
import { fateOf, parseIptables, parseNft } from '../../engine/machine/firewall';
import { EnvironmentReader, environmentMessages } from '../../engine/machine/packed-environment';
import { parseLldp } from '../../engine/machine/switches';
import { planText } from '../../engine/plans/plan-text';
import { parsePlan } from '../../engine/plans/read-plan';
import { csvOf } from '../../engine/reports/csv';
import { junitOf } from '../../engine/reports/junit';
import { loadColumnsOf } from '../../engine/reports/load-columns';
import { lossCauses, withFirstLosses } from '../../engine/reports/loss-causes';
import { readParameters } from '../../engine/runs/parameters';
import { eventOf, rowOf, sampleOf } from '../../engine/sessions/run-records';
import { parseProfile } from '../../engine/thresholds/profiles';
import type { ExperimentDeclaration } from '../../experiments/declaration';
import { declarations } from '../../experiments/declarations';
import { parseIperfReport } from '../../experiments/link/iperf-report';
import { parsePing } from '../../experiments/link/ping-report';
import { withPresentNames } from '../../experiments/parameter-names';
import { parseFioReport } from '../../experiments/storage/fio-report';
import type { Row } from '../../facts/row';
import type { Run } from '../../facts/run';
import { type JoinFile, joinFileText, parseJoinFile } from '../../fleet/site/join-file';
import { archiveCommands } from '../../protocol/archive';
import type { CommandTable } from '../../protocol/command-table';
import { previewRequestSchema } from '../../protocol/console';
import { consoleCommands } from '../../protocol/console-commands';
import { hostEnvironmentSchema } from '../../protocol/environment';
import { toProblem } from '../../protocol/errors';
import { faultsText, parseFaults } from '../../protocol/faults';
import { agentCommands } from '../../protocol/fleet/agent-commands';
import { agentHostCommands } from '../../protocol/fleet/agent-host-messages';
import { agentLoadOf, presenceOf } from '../../protocol/fleet/presence';
import { formatText, parseFormat, parseRate, rateText } from '../../protocol/format';
import { mixedSourceText, parseMixedSource } from '../../protocol/mix-spec';
import { safeParse } from '../../protocol/safe-parse';
import { parseSettings } from '../../protocol/settings';
import { parametersOf as commandParametersOf, nameOf } from '../../rpc/serve-commands';
import { loadSample } from '../load-sample';
import type { Random } from '../random';
import { selfSigned } from '../self-signed';
import { mutated, mutatedText } from './mutate';
import {
  asJson,
  type FuzzTarget,
  isRefusal,
  isToolFailure,
  never,
  ofTexts,
  ofValues,
  readTwice,
  target,
} from './target';

const isUnknown = (error: unknown): boolean => error instanceof NotKnown;

/** The output of a tool in JSON: as broken text, and as JSON that is something else. */
function ofJson(name: string, good: unknown, read: (text: string) => unknown): FuzzTarget {
  const vary = (text: string, random: Random): string =>
    random.chance(0.5) ? mutatedText(text, random) : JSON.stringify(mutated(good, random));
  return target(name, [JSON.stringify(good)], vary, read, isUnknown);
}

const recorded = [...declarations.map(({ id }) => id), 'live', 'watch'];

function linesOf(folder: string, file: string): unknown[] {
  const text = readFileSync(resolve('test-content/runs', folder, file), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function textOf(path: string): string {
  return readFileSync(resolve(path), 'utf8');
}

/** As a run recorded them. */
function parametersOf(declaration: ExperimentDeclaration): Record<string, unknown> {
  const { parameters } = JSON.parse(textOf(`test-content/runs/${declaration.id}/run.json`));
  return withPresentNames(declaration.id, parameters);
}

const facts: Omit<Run, 'rows' | 'experiment'> = {
  ...{ schema: 'whiteline-run/2', id: 'a', title: 'A run', state: 'finished', command: '' },
  ...{
    startedAt: '2026-11-23T08:00:00.000Z',
    endedAt: null,
    parameters: {},
    thresholds: {},
    environment: {},
  },
  ...{ verdict: 'PASS', reason: '' },
};

/** All that shows rows without a window. */
function show(experiment: string, rows: Row[]): void {
  const run: Run = { ...facts, experiment, rows };
  csvOf(run);
  junitOf(run);
  compareRuns([run, run]);
  lossCauses(rows);
  withFirstLosses(rows, 3);
  const declaration = declarations.find(({ id }) => id === experiment);
  const table = declaration && new TerminalTable(declaration);
  for (const row of rows) table?.lines(row);
}

function ofRows(experiment: string, good: readonly unknown[]): FuzzTarget {
  const read = readTwice(rowOf, asJson);
  const [first] = good.flatMap((value) => read(value) ?? []);
  if (!first) throw new Error(`${experiment} has a row that is read`);
  return ofValues(`rows: ${experiment}`, good, (value) => {
    const row = read(value);
    if (row) show(experiment, [first, row]);
    return row;
  });
}

/** What a window or the archive is sent: the command, or what is wrong with it. */
function commandOrProblem<Table extends CommandTable<Table>>(
  table: Table,
  whose: string,
  sent: unknown,
): unknown {
  const read = (value: unknown): unknown => {
    const name = nameOf(table, whose, value);
    return { name, ...commandParametersOf(table, name, value) };
  };
  try {
    return readTwice(read, asJson)(sent);
  } catch (error) {
    const problem = toProblem(error);
    expect(problem).toMatchObject({ code: 'BAD_INPUT', remedy: expect.any(String) });
    return problem;
  }
}

const rowTargets = recorded.map((experiment) => ofRows(experiment, linesOf(experiment, 'rows.jsonl')));

const streamLoadRun = JSON.parse(textOf('test-content/runs/stream-load/run.json'));
const [host] = streamLoadRun.environment.hosts;
const packed = environmentMessages(hostEnvironmentSchema.parse(host));

const commands = [
  { name: 'checkParameters', experiment: 'stream-load', parameters: { maxStreams: 2, inject: 'miss:1-2' } },
  { name: 'addNote', kind: 'marker', text: 'a marker', run: 'a' },
  { name: 'makeClip', clip: 'flares', format: '640x360@30' },
  { name: 'dismissAlert', key: 'disk' },
];
const goodArchiveCommands = [
  { name: 'listRuns', filter: { text: 'a', from: '2026-11-23T08:00:00.000Z' }, offset: 0, limit: 10 },
  { name: 'compareRuns', runs: ['a', 'b'] },
  { name: 'openRun', run: 'a' },
];

const fence = 4711;
const goodAgentCommands = [
  { name: 'hello', protocol: 1, version: '1.0.0' },
  { name: 'lease.acquire', holder: 'control-1' },
  { name: 'lease.renew', fence },
  { name: 'host.start', fence, role: 'sending', number: 1, transport: { name: 'ndi' } },
  { name: 'host.end', fence, hostId: 'a1b2c3d4e5f6a7b8' },
  { name: 'time' },
];
const goodHostCommands = [
  { name: 'start', searchHosts: ['192.0.2.7'] },
  {
    ...{ name: 'openSource', sourceId: 1, codeSourceId: 2 },
    options: {
      ...{ kind: 'noise', width: 1280, height: 720, rateNumerator: 60_000, rateDenominator: 1001 },
      pixelFormat: 'bgra',
    },
  },
  { name: 'openSender', streamId: 1, sourceId: 1, senderName: 'a', shareRecords: true, audio: true },
  { name: 'setFaults', streamId: 1, faults: [{ verb: 'delay', first: 1, last: 2, delayMs: 3 }] },
  { name: 'openReceiver', streamId: 1, sourceName: 'M (s)', address: '192.0.2.7:5961', askTime: true },
  { name: 'discover', seconds: 1 },
  { name: 'sendEnvironment', messages: packed },
];
const presence = {
  ...{ protocol: 1, id: 'abcdefghij012345', name: 'render-1', version: '1.0.0', session: 's', bootId: 'b' },
  ...{ uptimeSeconds: 5, limits: { streams: 4, format: '1920x1080@60', minutes: 30 }, holder: 'control-1' },
  machine: {
    ...{
      hostName: 'render',
      system: 'Linux',
      board: null,
      cpuModel: null,
      cores: 8,
      memoryMb: 1,
      gpus: null,
    },
    ...{ interfaces: [{ name: 'eth0', state: 'up', speedMbps: 1000 }], ndi: null, notKnown: { ndi: 'none' } },
  },
  ...{ hosts: [{ role: 'sending', number: 1 }], senders: 1, receivers: 0, leaving: false },
  load: agentLoadOf(loadSample()),
};

const nft = {
  nftables: [
    { metainfo: { version: '1.0.6' } },
    {
      chain: {
        family: 'inet',
        table: 't',
        name: 'in',
        type: 'filter',
        hook: 'input',
        prio: 0,
        policy: 'accept',
      },
    },
    {
      rule: {
        ...{ family: 'inet', table: 't', chain: 'in', handle: 1 },
        expr: [
          {
            match: {
              op: '==',
              left: { payload: { protocol: 'tcp', field: 'dport' } },
              right: { set: [80, { range: [5960, 5970] }] },
            },
          },
          { jump: { target: 'ours' } },
        ],
      },
    },
    { rule: { family: 'inet', table: 't', chain: 'ours', handle: 2, expr: [{ drop: null }] } },
  ],
};
const lldp = {
  lldp: [
    {
      interface: [
        { name: 'eth0', chassis: [{ name: [{ value: 'M4250' }] }], port: [{ id: [{ value: '12' }] }] },
      ],
    },
  ],
};
const joinFile: JoinFile = {
  ...{ version: 1, servers: ['tls://192.0.2.7:4222'], certificateAuthority: selfSigned.cert },
  ...{ user: 'abcdefghij012345', secret: 'a secret', agent: { id: 'abcdefghij012345', name: 'render-1' } },
};
const lsblk = {
  blockdevices: [{ name: 'sda', type: 'disk', size: 1e12, model: 'X', tran: 'sata', rota: false }],
};

export const fuzzTargets: readonly FuzzTarget[] = [
  ...rowTargets,
  ofValues('events', linesOf('watch', 'events.jsonl'), readTwice(eventOf, asJson)),
  ofValues('samples', linesOf('stream-load', 'samples.jsonl'), (value) => {
    const sample = readTwice(sampleOf, asJson)(value);
    if (sample) loadColumnsOf([sample, sample], []);
    return sample;
  }),
  ofValues('commands of a window', commands, (value) =>
    commandOrProblem(consoleCommands, 'the console', value),
  ),
  ofValues('commands to the archive', goodArchiveCommands, (value) =>
    commandOrProblem(archiveCommands, 'the archive', value),
  ),
  ofValues(
    'requests for previews',
    [{ type: 'subscribe', rateHz: 5, streams: [{ streamId: 1, maxWidth: 320 }] }],
    readTwice((value) => safeParse(previewRequestSchema, value).data, asJson),
  ),
  ofValues('settings', [parseSettings({})], readTwice(parseSettings, asJson), isRefusal),
  ...declarations.map((declaration) =>
    ofValues(
      `parameters of ${declaration.id}`,
      [parametersOf(declaration)],
      readTwice(
        (value) =>
          readParameters(declaration, typeof value === 'object' && value !== null ? { ...value } : {}),
        asJson,
      ),
      isRefusal,
    ),
  ),
  ofTexts(
    'plans',
    [textOf('test-content/runs/session/plan.yaml').replaceAll('durationSeconds', 'holdSeconds')],
    readTwice((text) => parsePlan(text, 'plan.yaml').plan, planText),
  ),
  ofTexts(
    'profiles of thresholds',
    ['name: mine\nbase: study\nacceptableLostFrames: 2\nlostWindowSeconds: 2.5\n'],
    (text) => parseProfile(text, 'mine.yaml'),
  ),
  ofTexts('manifest of test content', [textOf('test-content/manifest.yaml')], (text) =>
    parseManifest(text, 'manifest.yaml'),
  ),
  ofTexts(
    'faults',
    ['miss:10-14; skip:100-104; stall:300-360'],
    readTwice((text) => parseFaults(text), faultsText),
  ),
  ofTexts(
    'formats',
    ['1920x1080@59.94', '640x360@30000/1001'],
    readTwice((text) => parseFormat(text), formatText),
  ),
  ofTexts(
    'rates',
    ['59.94', '60000/1001', '60'],
    readTwice((text) => parseRate(text), rateText),
  ),
  ofTexts(
    'mixed sources',
    ['white-line 1280x720@60', 'clip.mov'],
    readTwice((text) => parseMixedSource(text), mixedSourceText),
  ),
  ofTexts(
    'iperf3',
    ['tcp-send', 'udp-send', 'udp-lossy'].map((name) => textOf(`app/experiments/link/data/${name}.txt`)),
    parseIperfReport,
    isToolFailure,
  ),
  ofTexts('ping', [textOf('app/experiments/link/data/ping-lossy.txt')], parsePing),
  ofTexts(
    'fio',
    [textOf('app/experiments/storage/data/seq1m-read.txt')],
    (text) => parseFioReport(text, 'read'),
    isToolFailure,
  ),
  ofValues('commands to an agent', goodAgentCommands, (value) =>
    commandOrProblem(agentCommands, 'an agent', value),
  ),
  ofValues('requests to a stream host of an agent', goodHostCommands, (value) =>
    commandOrProblem(agentHostCommands, 'a stream host of another machine', value),
  ),
  ofValues('what an agent says of itself', [presence], readTwice(presenceOf, asJson)),
  ofTexts(
    'join files',
    [joinFileText(joinFile)],
    readTwice((text) => parseJoinFile(text, 'join.json'), joinFileText),
  ),
  ofJson('nft', nft, (text) => fateOf(parseNft(text), 'tcp', 5961)),
  ofTexts('iptables', ['-P INPUT DROP\n-A INPUT -p tcp -m tcp --dport 5960:5970 -j ACCEPT\n'], (text) =>
    fateOf(parseIptables(text), 'tcp', 5961),
  ),
  ofJson('lldpcli', lldp, parseLldp),
  ofJson('lsblk', lsblk, parseDrives),
  ofTexts(
    'what a machine is, as its senders say it',
    packed,
    (text) => {
      const reader = new EnvironmentReader();
      for (const part of packed.slice(1)) reader.add(part);
      return reader.add(text);
    },
    never,
  ),
];
