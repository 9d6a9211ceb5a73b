import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineMessage } from '../../protocol/console';
import { consoleCommands } from '../../protocol/console-commands';
import { FakeApplication } from '../../testing/fake-application';
import { checked, fileOf } from '../../testing/movie-facts';
import { readNamedRun } from '../../testing/named-rows';
import { SimulatedEngine } from '../../testing/simulated-engine';
import { temporaryFolder } from '../../testing/temporary-folder';
import { ConsoleServer } from '../console-server';
import type { Engine } from '../engine';
import { parsePlan } from '../plans/read-plan';
import { readSession } from '../sessions/read-session';

const folder = temporaryFolder();
const movie = fileOf(join(folder, 'clip.mov'));
const source = { source: movie, format: '640x360@30', pixelFormat: 'uyvy' as const };

let application: FakeApplication;
let simulated: SimulatedEngine;
let engine: Engine;

beforeEach(async () => {
  application = new FakeApplication();
  application.answer = ({ name }) => (name === 'checkMovie' ? checked() : null);
  simulated = new SimulatedEngine(application, folder);
  ({ engine } = simulated);
  await simulated.start();
});
afterEach(() => simulated.close());

const until = (isSo: () => boolean) => simulated.clock.untilSo(isSo);
const sending = () => application.host('sending');

const plan = {
  name: 'Hall 3',
  thresholds: 'flawless',
  experiments: [
    { experiment: 'stream-load', parameters: { source: movie, preload: true } },
    { experiment: 'stream-load', name: 'Again' },
  ],
};

test('a plan runs in folders of its own, and Stop ends all of it', async () => {
  sending().deafTo = 'openSource';
  await simulated.execute({ name: 'startPlan', plan });
  await until(() => sending().named('openSource').length === 1);
  const { mode, session, run } = engine.state();
  expect(mode).toBe('experiment');
  expect(session).toMatchObject({ state: 'running', plan: { name: 'Hall 3' }, thresholdProfile: 'flawless' });
  expect(session?.runs.map(({ state }) => state)).toEqual(['running', 'waiting']);
  expect(run?.folder).toMatch(/runs-\w+\/.+-hall-3\/01-stream-load$/);
  await expect(simulated.execute({ name: 'startPlan', plan })).rejects.toThrow('An experiment is running');

  const stopped = simulated.ask({ name: 'stop' });
  await until(() => sending().named('cancel').length === 1);
  sending().refuse({ code: 'ABORTED', message: 'stopped before it had started' });
  await simulated.clock.until(stopped);
  expect(engine.state()).toMatchObject({ mode: 'idle', progress: null, alerts: [] });
  const kept = readSession(join(run?.folder ?? '', '..'));
  expect(kept).toEqual(engine.state().session);
  expect(kept).toMatchObject({ state: 'aborted', runs: [{ state: 'aborted' }, { state: 'waiting' }] });
  const { thresholds, thresholdProfile, command, reason } = readNamedRun(run?.folder ?? '');
  expect(reason).toMatch(/^stopped by the operator\. Until then: /);
  expect([thresholds.acceptableLostFrames, thresholdProfile]).toEqual([0, 'flawless']);
  expect(command).toMatch(/ --thresholds flawless$/);
});

test('a run that ends because Whiteline is closed does not say that the operator stopped it', async () => {
  sending().deafTo = 'openSource';
  await simulated.execute({
    ...{ name: 'startExperiment', experiment: 'stream-load' },
    parameters: { source: movie },
  });
  await until(() => sending().named('openSource').length === 1);
  const { run } = engine.state();
  const closed = simulated.close();
  await until(() => sending().named('cancel').length === 1);
  sending().refuse({ code: 'ABORTED', message: 'stopped before it had started' });
  await closed;
  expect(readNamedRun(run?.folder ?? '')).toMatchObject({
    state: 'aborted',
    reason: expect.stringMatching(/^stopped because Whiteline was closed\. Until then: /),
  });
});

test('a plan that is wrong is refused as a whole, and what is running goes on', async () => {
  await simulated.execute({ name: 'addStream', parameters: source });
  const broken = {
    ...plan,
    experiments: [...plan.experiments, { experiment: 'stream-load', parameters: { goal: 0 } }],
  };
  await expect(simulated.execute({ name: 'startPlan', plan: broken })).rejects.toMatchObject({
    ...{
      code: 'BAD_INPUT',
      message: expect.stringMatching(/^experiment 3: Expected .+ for goal but received 0/),
    },
  });
  const gone = { ...plan, experiments: [{ experiment: 'stream-load', parameters: { source: 'gone.mov' } }] };
  await expect(simulated.execute({ name: 'startPlan', plan: gone })).rejects.toThrow(
    /^experiment 1: .*gone\.mov/,
  );
  const both = { ...plan, experiments: [...broken.experiments, ...gone.experiments] };
  await expect(simulated.execute({ name: 'startPlan', plan: both })).rejects.toThrow(
    /^experiment 3: Expected .+ for goal but received 0[^\n]*\nexperiment 4: .*gone\.mov/,
  );
  expect(engine.state()).toMatchObject({ mode: 'live', session: undefined });
});

test('a plan is saved for the command line, and opened again', async () => {
  const path = join(folder, 'saved.yaml');
  await simulated.execute({ name: 'savePlan', plan, grant: application.chosen('plan', path) });
  const saved = parsePlan(readFileSync(path, 'utf8'), 'saved.yaml').plan;
  expect(saved).toMatchObject(plan);
  expect(
    await simulated.execute({ name: 'openPlan', grant: application.chosen('plan-to-open', path) }),
  ).toEqual(saved);
  const noPlan = application.chosen('plan-to-open', join(folder, 'gone.yaml'));
  const gone = simulated.execute({ name: 'openPlan', grant: noPlan });
  await expect(gone).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const noPlace = application.chosen('plan', join(path, 'x.yaml'));
  const unwritable = simulated.execute({ name: 'savePlan', plan, grant: noPlace });
  await expect(unwritable).rejects.toMatchObject({ code: 'OUTPUT_UNWRITABLE' });
  const grant = application.chosen('plan', path);
  await expect(simulated.execute({ name: 'savePlan', plan: { name: '' }, grant })).rejects.toThrow(
    /^plan: Expected/,
  );
});

test('an experiment is judged by the profile that was chosen', async () => {
  sending().deafTo = 'openSource';
  const start = {
    name: 'startExperiment' as const,
    experiment: 'stream-load',
    parameters: { source: movie },
  };
  await expect(simulated.execute({ ...start, thresholds: 'mild' })).rejects.toThrow(/one of study, flawless/);
  await simulated.execute({ ...start, thresholds: 'flawless' });
  await until(() => sending().named('openSource').length === 1);
  expect(readNamedRun(engine.state().run?.folder ?? '', { running: true }).thresholdProfile).toBe('flawless');
  const stopped = simulated.ask({ name: 'stop' });
  await until(() => sending().named('cancel').length === 1);
  sending().refuse({ code: 'ABORTED', message: 'stopped before it had started' });
  await simulated.clock.until(stopped);
});

test('a window that asks gets of every experiment what a form needs', async () => {
  const reported: EngineMessage[] = [];
  let ask: (message: unknown) => void = () => undefined;
  new ConsoleServer(engine, simulated.clock).add({
    post: (message) => reported.push(message),
    onMessage: (listener) => {
      ask = listener;
    },
    onClose: () => undefined,
  });
  ask({ type: 'request', requestId: 7, command: { name: 'listExperiments' } });
  await vi.waitFor(() => expect(reported.some(({ type }) => type === 'reply')).toBe(true));
  const reply = reported.find((message) => message.type === 'reply');
  expect(reply).toMatchObject({ requestId: 7, problem: null });
  const [first] = consoleCommands.listExperiments.result.parse(reply?.result);
  expect(first).toMatchObject({ id: 'stream-load', requirements: [{ name: 'NDI runtime', missing: null }] });
  expect(first?.parameters.properties?.maxStreams).toMatchObject({ minimum: 1, maximum: 64 });
});

test('a window names no file of thresholds: what stands in it would be reported', async () => {
  const path = join(folder, 'secret.yaml');
  writeFileSync(path, 'a secret');
  for (const thresholds of [path, './secret', 'constructor']) {
    const experiment = simulated.execute({
      ...{ name: 'startExperiment', experiment: 'stream-load', thresholds },
      parameters: { source: movie },
    });
    await expect(experiment).rejects.toThrow('Expected one of study, flawless for thresholds');
    const wholePlan = simulated.execute({ name: 'startPlan', plan: { ...plan, thresholds } });
    await expect(wholePlan).rejects.toThrow('Expected one of study, flawless for thresholds');
  }
});
