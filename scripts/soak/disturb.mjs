import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setUp } from '../setup/index.mjs';
import { note, SetupError } from '../setup/report.mjs';
import { now } from './disturb/actions.mjs';
import { endAll, runDisturbed } from './disturb/drive.mjs';
import { experiments } from './disturb/experiments.mjs';
import { matrixPlans, plannedRuns } from './disturb/plan.mjs';
import { readRunFolder } from './disturb/read-run.mjs';
import { actionText, againBy, findingText, table, totals } from './disturb/report.mjs';
import { scoreEnd, scoreRow } from './disturb/score.mjs';
import { prepare, runnable } from './disturb/tools.mjs';

/**
 * Runs every experiment in turn, disturbs it at random, and compares what each row says with what was done. Resolves to whether no
 * row passed falsely, none blames what was not touched, and all counts are right.
 */
export async function soakDisturb({ minutes, seed, only }) {
  note('disturb', `seed ${seed}; --seed ${seed} repeats it`);
  return printOutcome(
    await disturbedRuns(plannedRuns(seed, experiments), { again: againBy('disturb', seed), only, minutes }),
  );
}

/** The same for each process by itself, in every way and at several moments, of hogs, and of pairs of processes. */
export async function soakMatrix({ seed, only }) {
  note('disturb', `seed ${seed}; --seed ${seed} repeats it in the same order`);
  return printOutcome(
    await disturbedRuns(matrixPlans(seed, experiments), { again: againBy('matrix', seed), only }),
  );
}

/**
 * Carries plans out one after the other, for so long; they do not have to end. Those of experiments that were not chosen, or lack a tool,
 * are left out, so that the others keep their numbers.
 * @param again how a run is repeated
 */
export async function disturbedRuns(plans, { again, only, minutes = Number.POSITIVE_INFINITY }) {
  if (process.platform !== 'linux')
    throw new SetupError('the disturbances are read from /proc, which only Linux has.', 'Run it on Linux.');
  await setUp([]);
  const { known, skipped } = runnable(chosenExperiments(only));
  const root = mkdtempSync(path.join(tmpdir(), 'whiteline-disturb-'));
  const shared = prepare(
    root,
    known.some(({ tools }) => tools.includes('ffmpeg')),
  );
  note('disturb', `runs in which something is found stay in ${root}`);
  for (const text of skipped) note('disturb', text);
  if (!shared.realTime) note('disturb', `no real-time hogs: ${shared.realTimeProblem}`);
  const outcomes = [];
  const stop = stopAtSignal();
  const untilNs = now() + minutes * 60e9;
  let runs = 0;
  for (const plan of plans) {
    if (now() >= untilNs || stop.isAsked || known.length === 0) break;
    runs += 1;
    const { number = runs } = plan;
    if (known.some(({ id }) => id === plan.experiment.id))
      outcomes.push(await outcomeOf({ ...plan, number }, { again, root, shared, stop }));
  }
  const whole = outcomes.filter(({ isCut }) => !isCut);
  if (whole.every(({ findings }) => findings.length === 0)) rmSync(root, { recursive: true, force: true });
  return whole;
}

function chosenExperiments(only) {
  const chosen = experiments.filter(({ id }) => only === undefined || id === only);
  if (chosen.length > 0) return chosen;
  const names = experiments.map(({ id }) => `"${id}"`).join(', ');
  throw new SetupError(
    `Expected one of ${names} for --only but received ${only}.`,
    'npm run soak -- disturb --only stream-load',
  );
}

/** Ctrl-C lets go what is stopped, ends the run, and shows what was found until then. */
function stopAtSignal() {
  const stop = { isAsked: false };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => {
      stop.isAsked = true;
      endAll('SIGINT');
    });
  return stop;
}

async function outcomeOf(plan, { again, root, shared, stop }) {
  const { number, experiment } = plan;
  const folder = path.join(root, `${number}-${experiment.id.replaceAll(' ', '-')}`);
  const name = `disturb-${process.pid}-${number}`;
  const driven = await runDisturbed(plan, { ...shared, name, folder });
  const run = readRunFolder(folder);
  const done = { ...driven, stolen: run.stolen ?? [] };
  const rows = (run.rows ?? []).map((row) => scoreRow(experiment.id, row, done));
  const reasons = new Map((run.rows ?? []).map(({ index, reason }) => [index, JSON.stringify(reason)]));
  const findings = [...rows.flatMap((row) => row.findings), ...scoreEnd(driven, run)];
  const outcome = { experiment, rows, findings, actions: driven.actions, isCut: stop.isAsked };
  const words = (fromNs) =>
    driven.actions.map((action) => actionText(action, fromNs)).join('; ') || 'nothing';
  note(
    'disturb',
    `${number} ${experiment.id}: ${rows.map(({ verdict }) => verdict).join(' ')} in ${driven.seconds.toFixed(1)} s; done: ${words(driven.startedNs)}`,
  );
  for (const finding of outcome.isCut ? [] : findings) {
    const from = run.rows?.find(({ index }) => index === finding.row)?.fromNs ?? driven.startedNs;
    const said = { ...finding, reason: reasons.get(finding.row)?.slice(0, 600) };
    process.stdout.write(`${findingText(said, { again: again(plan), experiment, done: words(from) })}\n`);
  }
  if (findings.length === 0) rmSync(folder, { recursive: true, force: true });
  return outcome;
}

function printOutcome(outcomes) {
  process.stdout.write(`\n${table(outcomes)}\n`);
  const { scored, apart, remarks } = totals(outcomes);
  const text = Object.entries(scored).map(([kind, count]) => `${kind} ${count}`);
  process.stdout.write(
    `${outcomes.length} runs: ${text.join(', ')}; apart, while the CPU was taken: ${apart}; remarks: ${remarks}\n`,
  );
  return outcomes.length > 0 && Object.values(scored).every((count) => count === 0);
}
