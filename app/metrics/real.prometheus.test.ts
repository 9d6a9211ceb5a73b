import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { uniqueName } from '../testing/command';
import { hangsSeconds } from '../testing/command-output';
import { FleetHere } from '../testing/fleet-here';
import { ask } from '../testing/http-client';
import { temporaryFolder } from '../testing/temporary-folder';

const patiently = { timeout: 1000 * hangsSeconds, interval: 200 };

/** A real Prometheus asks a console and an agent between which real NDI streams. */

const folder = temporaryFolder();
const fleet = new FleetHere(folder);
let prometheus: ChildProcess | null = null;
let origin = '';
let consoleUrl = '';
let agentUrl = '';

beforeAll(async () => {
  await fleet.startServer();
  const agent = await fleet.startAgent('render-1', [], ['--metrics', '0']);
  agentUrl = urlIn(agent.output);
  const run = fleet.whiteline([
    ...['run', 'stream-load', '--send-on', 'render-1', '--format', '640x360@30', '--max-streams', '9'],
    // The tests end it: rows enough, and no rule that stops it.
    ...['--hold', '10s', '--stop-on', '', '--warm-up', '500ms', '--name', uniqueName()],
    ...['--out', join(folder, 'run')],
    ...['--metrics', '0'],
  ]);
  await run.says(/^Metrics: /m);
  consoleUrl = urlIn(run.output);
  await startPrometheus();
});

afterAll(async () => {
  prometheus?.kill('SIGKILL');
  fleet.close();
});

function urlIn(output: string): string {
  return /^Metrics: (\S+)$/m.exec(output)?.[1] ?? '';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function startPrometheus(): Promise<void> {
  const targets = [consoleUrl, agentUrl].map((url) => new URL(url).host);
  const file = join(folder, 'prometheus.yml');
  const job = { job_name: 'whiteline', scrape_interval: '1s', static_configs: [{ targets }] };
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify({ scrape_configs: [job] }));
  const address = `127.0.0.1:${await freePort()}`;
  origin = `http://${address}`;
  prometheus = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  );
  await vi.waitFor(async () => expect((await ask(`${origin}/-/ready`)).status).toBe(200), patiently);
}

const answerSchema = z.object({
  status: z.literal('success'),
  data: z.object({
    result: z.array(
      z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) }),
    ),
  }),
});

type Result = z.infer<typeof answerSchema>['data']['result'];

async function query(expr: string): Promise<Result> {
  const { body } = await ask(`${origin}/api/v1/query?query=${encodeURIComponent(expr)}`);
  return answerSchema.parse(body, { error: () => `${expr}: ${JSON.stringify(body)}` }).data.result;
}

const dashboardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});
const dashboard = dashboardSchema.parse(JSON.parse(readFileSync('docs/grafana-dashboard.json', 'utf8')));
const [, rules = ''] = /```yaml\n(groups:.*?)```/s.exec(readFileSync('docs/prometheus.md', 'utf8')) ?? [];
const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ expr: z.string() })) })),
});

/** A machine may have no GPU that can be asked; the first row may not have ended. */
const mayBeEmpty = ['GPU', 'Verdicts of rows'];

describe('while a stream is measured', () => {
  beforeAll(async () => {
    for (const expr of [
      'whiteline_stream_frames_total{outcome="received"} > 0',
      'whiteline_machine_clock_uncertainty_seconds',
      'whiteline_agent_presence_age_seconds',
      // What a rise is made of.
      'count_over_time(whiteline_stream_frames_total[1m]) > 2',
    ])
      await vi.waitFor(async () => expect(await query(expr), expr).not.toEqual([]), patiently);
  });

  test('promtool finds nothing wrong with what console and agent export', async () => {
    for (const url of [consoleUrl, agentUrl]) {
      const { text } = await ask(url);
      expect(execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('');
    }
  });

  test.each(dashboard.panels.map((panel) => [panel.title, panel] as const))(
    'the panel %s has something to show',
    async (title, { targets }) => {
      for (const { expr } of targets) {
        const asked = expr
          .replace('$instance', '.*')
          .replaceAll('$__range', '5m')
          .replaceAll('"$instance"', '".*"');
        const result = await query(asked);
        expect(result.length > 0 || mayBeEmpty.includes(title), asked).toBe(true);
      }
    },
  );

  test('each alert is one that Prometheus can ask, and its rules are whole', async () => {
    const { groups } = rulesSchema.parse(parse(rules));
    for (const { expr } of groups.flatMap(({ rules: own }) => own)) await query(expr);
    const file = join(folder, 'rules.yml');
    writeFileSync(file, rules);
    expect(execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toContain('SUCCESS');
  });

  test('what Prometheus has is what was exported: each sent frame came or was dropped', async () => {
    const at = await query('timestamp(whiteline_stream_frames_total{outcome="sent"})');
    const figure = async (outcome: string): Promise<number> => {
      const [
        {
          value: [, time],
        } = { value: [0, '0'] as const },
      ] = at;
      const of = `{outcome="${outcome}",stream_id="1"} @ ${time}`;
      const [one] = await query(
        `whiteline_stream_frames_total${of} - whiteline_stream_frames_corrected_total${of}`,
      );
      return Number(one?.value[1]);
    };
    const [sent, received, dropped] = [
      await figure('sent'),
      await figure('received'),
      await figure('dropped'),
    ];
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBe(received + dropped);
  });

  test('machines and versions stand where they belong', async () => {
    expect(await query('whiteline_machine_reachable == 1')).toMatchObject([
      { metric: { machine: 'render-1' } },
    ]);
    expect(await query('whiteline_agent_bus_state')).toMatchObject([{ metric: { state: 'connected' } }]);
    expect(await query('whiteline_role_cpu_ratio{role="sending",machine="render-1"}')).not.toEqual([]);
    expect(await query('whiteline_build_info')).toHaveLength(2);
  });
});
