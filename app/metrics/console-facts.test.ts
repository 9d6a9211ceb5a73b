import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Bench } from '../fleet/fleet.fixture';
import { loadSample } from '../testing/load-sample';
import { SimulatedBench } from '../testing/simulated-bench';
import { SimulatedFleet } from '../testing/simulated-fleet';
import { temporaryFolder } from '../testing/temporary-folder';
import { agentFacts } from './agent-facts';
import { ConsoleFacts, type HeardAgent } from './console-facts';
import { Exposition } from './exposition';

const folder = temporaryFolder();

describe('a console', () => {
  let bench: SimulatedBench;
  let exposition: Exposition;
  let heard: HeardAgent[];
  beforeEach(async () => {
    bench = await SimulatedBench.start(folder);
    exposition = new Exposition();
    heard = [];
  });
  afterEach(() => bench.close());

  /** All that is exported now, by series. */
  async function exported(): Promise<Map<string, number>> {
    const facts = new ConsoleFacts(bench.clock, '1.0.0');
    facts.show({ measured: () => bench.engine.measured, heard: () => heard });
    return seriesIn(await exposition.text(facts.read()));
  }

  /** A figure of stream 1. */
  function framesOf(series: ReadonlyMap<string, number>, outcome: string): number {
    const of = (name: string): number => {
      const found = [...series].find(
        ([key]) =>
          key.startsWith(`${name}{`) && key.includes('stream_id="1"') && key.includes(`"${outcome}"`),
      );
      if (!found) throw new Error(`${name} of ${outcome} is not exported`);
      return found[1];
    };
    return of('whiteline_stream_frames_total') - of('whiteline_stream_frames_corrected_total');
  }

  test('counters are what the window shows and rows count: each sent frame came or was dropped', async () => {
    await bench.begin('stream-load', {
      ...{ format: '640x360@30', maxStreams: 1, holdSeconds: 5, warmUpSeconds: 1, invalidRetries: 0 },
      ...{ inject: 'skip:40-42; miss:60', stopOn: [] },
    });
    await bench.inRow(1, { seconds: 4 });
    const series = await exported();
    const [view] = bench.engine.state().streams;
    expect(framesOf(series, 'dropped')).toBe(3);
    expect(framesOf(series, 'sender_missed')).toBe(1);
    expect(framesOf(series, 'lost')).toBe(view?.lostTotal);
    expect(framesOf(series, 'received')).toBe(view?.framesReceived);
    expect(framesOf(series, 'sent')).toBe(framesOf(series, 'received') + 3);
    expect(series.get('whiteline_streams')).toBe(1);
    expect(series.has(`whiteline_machine_cpu_ratio{machine="${hostname()}"}`)).toBe(true);
    await bench.ended();
    // Until the streams are viewed again.
    await bench.clock.pass(500);
    const after = await exported();
    const rows = bench.readRun().rows.length;
    const counted = [...after].filter(([key]) => key.startsWith('whiteline_rows_total{'));
    expect(counted.reduce((sum, [, count]) => sum + count, 0)).toBe(rows);
    expect([...after.keys()].filter((key) => key.startsWith('whiteline_run_verdict'))).toHaveLength(1);
    expect([...after.keys()].filter((key) => key.startsWith('whiteline_stream_'))).toEqual([]);
  });

  test('a machine that falls silent has no load, and its streams have no figures of now', async () => {
    const fleet = new SimulatedFleet(bench);
    fleet.start('render-1');
    await bench.execute({
      name: 'addStream',
      parameters: {
        ...{ source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy', sendOn: 'render-1' },
      } as never,
    });
    await bench.clock.untilSo(() => bench.engine.state().streams[0]?.state === 'receiving');
    await bench.clock.pass(3000);
    const of = (series: Map<string, number>, name: string) =>
      series.get(`whiteline_machine_${name}{machine="render-1"}`);
    const before = await exported();
    expect(of(before, 'reachable')).toBe(1);
    expect(of(before, 'cpu_ratio')).toBeGreaterThanOrEqual(0);
    expect(of(before, 'clock_uncertainty_seconds')).toBeGreaterThanOrEqual(0);
    expect([...before.keys()].find((key) => key.startsWith('whiteline_stream_state'))).toContain(
      `receiver="${hostname()}",sender="render-1",state="receiving"`,
    );
    fleet.cut('render-1');
    await bench.clock.pass(6000);
    const cut = await exported();
    expect([of(cut, 'reachable'), of(cut, 'cpu_ratio')]).toEqual([0, undefined]);
    const now = [...cut.keys()].filter((key) => /^whiteline_stream_(state|received|lost)/.test(key));
    expect(now).toEqual([expect.stringContaining('state="unreachable"')]);
  });

  test('machines that only were heard are there too, and those that left are not', async () => {
    const agent = new Bench().agent();
    const { presence } = agent.now;
    const one = { ...presence, holder: 'control-1', senders: 2, load: loadOf(50) };
    const common = { version: '0.9.0', silentSeconds: 0.5 };
    heard = [
      { ...common, id: 'a', name: 'here', state: 'here', presence: one },
      { ...common, id: 'b', name: 'silent', state: 'silent', silentSeconds: 60, presence: one },
      { ...common, id: 'c', name: 'left', state: 'left', presence: one },
      { ...common, id: 'd', name: 'newer', state: 'here', presence: null },
    ];
    const shown = [...(await exported())]
      .filter(([key]) => /machine="(here|silent|left|newer)"/.test(key))
      .filter(([key]) => !/network|loopback|tcp|role|core|steal|memory/.test(key));
    expect(shown.map(([key, value]) => `${key.replace('whiteline_machine_', '')} ${value}`)).toEqual([
      ...['reachable{machine="here"} 1', 'reachable{machine="silent"} 0', 'reachable{machine="newer"} 1'],
      'leased{machine="here"} 1',
      ...['stream_ends{machine="here",end="sender"} 2', 'stream_ends{machine="here",end="receiver"} 0'],
      ...['here', 'silent', 'newer'].map((name) => `info{machine="${name}",version="0.9.0"} 1`),
      ...['sample_age_seconds{machine="here"} 0.5', 'cpu_ratio{machine="here"} 0.5'],
    ]);
    await agent.close();
  });
});

describe('an agent', () => {
  test('says its lease, load, stream ends, presence and bus', async () => {
    const bench = new Bench();
    const agent = bench.agent();
    const nowNs = () => bench.clock.monotonicNs();
    const exported = async () =>
      seriesIn(await new Exposition().text(agentFacts(agent.now, '1.0.0', nowNs())));
    bench.sample(loadSample({ atNs: nowNs(), cpuPercent: 40 }));
    await bench.startHost(await bench.acquire(), 'sending');
    await bench.clock.pass(1250);
    const series = await exported();
    expect(series.get('whiteline_machine_leased{machine="render-1"}')).toBe(1);
    expect(series.get('whiteline_machine_cpu_ratio{machine="render-1"}')).toBe(0.4);
    expect(series.get('whiteline_machine_sample_age_seconds{machine="render-1"}')).toBe(1.25);
    expect(series.get('whiteline_agent_stream_hosts{role="sending"}')).toBe(1);
    expect(series.get('whiteline_agent_presence_age_seconds')).toBe(0.25);
    expect(series.get('whiteline_agent_bus_state{state="connected"}')).toBe(1);
    expect(series.has('whiteline_streams')).toBe(false);
    bench.bus.become('reconnecting');
    await bench.clock.pass(5000);
    const later = await exported();
    expect(later.get('whiteline_agent_presence_age_seconds')).toBe(5.25);
    expect(later.get('whiteline_agent_bus_state{state="reconnecting"}')).toBe(1);
    expect(later.has('whiteline_machine_cpu_ratio{machine="render-1"}')).toBe(false);
    await agent.close();
  });

  test('says only that it connects before it has a bus', async () => {
    const series = seriesIn(await new Exposition().text(agentFacts(null, '1.0.0', 0)));
    expect([...series.keys()].map((key) => key.split('{')[0])).toEqual([
      ...['whiteline_build_info', 'whiteline_truncated', 'whiteline_truncated', 'whiteline_truncated'],
      'whiteline_agent_bus_state',
    ]);
  });
});

function loadOf(cpuPercent: number) {
  const { roles, changes, notMeasured, interfaces, ...figures } = loadSample({ cpuPercent });
  return { ...figures, roles, changes: [], notMeasured: {}, interfaces: [] };
}

function seriesIn(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at))];
    }),
  );
}
