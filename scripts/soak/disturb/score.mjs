import { namesWhatWas, untrueStatements } from './blame.mjs';
import { wrongCounts } from './counts.mjs';
import { lossesOf } from './losses.mjs';
import { isHog, isTool, truthOf } from './truth.mjs';

/**
 * What of a run is wrong, given what was done to it. Pure. A finding has its kind (`scores`), the row, and words. Blame in a row from
 * which the hypervisor, or programs that are not ours, took the CPU is put apart: it is counted, and no score.
 */

export const scores = ['false pass', 'false blame', 'wrong counts', 'broken'];
/** Reported without a score: a row that counts although a process stood still, and does not say so. */
export const remark = 'not said';

const exitCodes = { PASS: 0, WARN: 0, FAIL: 1, INVALID: 5 };
/** The bounds of the profile, and how coarsely a standstill is seen. */
const ownSeconds = 0.35;
const toolSeconds = 1.25;
/** A sender at 30 fps that stands for so long skips a slot for sure. */
const senderSeconds = 0.3;
const maxStealPercent = 5;
const maxOthersPercent = 25;
const hungAfterSeconds = 60;
const standstillCodes =
  /^(process-(stopped|starved|died|lost)|.*stood-still|helper-died|no-load-sample|row-late|not-checked)$/;

export function scoreRow(experiment, row, done) {
  const truth = truthOf(row, done);
  const category = categoryOf(truth);
  const of = (kind) => (text) => ({
    kind,
    row: row.index,
    text,
    ...(category.isTaken && { isApart: kind === 'false blame' }),
  });
  const findings = [
    ...falsePasses(experiment, row, { truth, work: truthOf(workOf(row), done) }).map(of('false pass')),
    ...falseBlame(experiment, row, truth).map(of('false blame')),
    ...wrongCounts(row, { answers: done.answers, areLogsWhole: !isReceiverKilled(truth) }).map(
      of('wrong counts'),
    ),
    ...unsaid(row, { truth, work: truthOf(workOf(row), done) }).map(of(remark)),
  ];
  return { row: row.index, verdict: row.verdict, category: category.name, findings, around: truth.around };
}

/** What a process had not written yet is lost with it. */
function isReceiverKilled({ around }) {
  return around.some(({ kind, role }) => kind === 'kill' && /receiv/.test(role));
}

function categoryOf({ around, stolenPercent, othersPercent }) {
  const isStolen = stolenPercent > maxStealPercent;
  const isBeside = othersPercent >= maxOthersPercent;
  const what = around.length > 0 ? 'disturbed' : 'control';
  const taken = isStolen ? ', hypervisor' : isBeside ? ', others' : '';
  return { name: `${what}${taken}`, isTaken: isStolen || isBeside };
}

function standsBy(verdict) {
  return verdict === 'PASS' || verdict === 'WARN';
}

function falsePasses(experiment, row, truths) {
  if (!standsBy(row.verdict)) return [];
  const { any, faults } = lossesOf(row);
  const lost = row.verdict === 'PASS' ? any : faults;
  const longest = (isOne) => Math.max(0, ...standing(row, truths, isOne).map(({ seconds }) => seconds));
  const stood = [
    [
      isTool,
      toolSeconds,
      'a rate or an answer was measured while its tool stood still',
      isOfTools(experiment),
    ],
    [isSender, senderSeconds, 'no slot is missing while the sender stood still', hasStreams(row)],
    [isPacer, senderSeconds, 'packets of a pacer that stood still', true],
    [(role) => role === 'fan-out', 2 * ownSeconds, 'a rate of processes that stood still', true],
    [
      (role) => /sending|content/.test(role),
      ownSeconds,
      'wake-ups of a process that stood still',
      isWakeUps(row),
    ],
  ];
  return [
    ...(lost.length === 0 ? [] : [`${row.verdict} with ${lost.join(', ')}`]),
    ...stood
      .filter(([isOne, seconds, , applies]) => applies && longest(isOne) >= seconds)
      .map(([isOne, , text]) => `${row.verdict}: ${text} (${longest(isOne).toFixed(2)} s)`),
  ];
}

/**
 * @param truths `truth` of the row; `work` of the time of its slots or packets alone
 * @returns who stood still for how long: before its first slot or packet, and after the last one, a process may do so within the row
 */
function standing(row, { truth, work }, isOne) {
  return [
    ...truth.sure.filter(({ role }) => !worksBySlots(row, role)),
    ...work.sure.filter(({ role }) => worksBySlots(row, role)),
  ].filter(({ role }) => isOne(role));
}

function worksBySlots(row, role) {
  return isPacer(role) || isWakeUps(row);
}

/** From the first slot or packet to the last one. */
function workOf({ fromNs, toNs, figures: { measuredSeconds }, details }) {
  const startNs = details?.startNs === undefined ? fromNs : Number(details.startNs);
  return {
    fromNs: startNs,
    toNs: Math.min(toNs, startNs + 1e9 * (measuredSeconds ?? Number.POSITIVE_INFINITY)),
  };
}

function isOfTools(experiment) {
  return /^(link|storage)/.test(experiment);
}

function isPacer(role) {
  return role === 'pacer that sends';
}

function isSender(role) {
  return /^(remote )?sending$/.test(role);
}

function hasStreams({ subjects }) {
  return subjects.some(({ kind }) => kind === 'stream');
}

function isWakeUps({ step }) {
  return typeof step?.['quiet.rateHz'] === 'number';
}

function falseBlame(experiment, row, truth) {
  if (row.verdict !== 'FAIL' && row.verdict !== 'INVALID') return [];
  const untrue = untrueStatements(row, truth).map((text) => `${row.verdict} that says ${text}`);
  if (truth.around.length === 0) {
    const isKnown = untrue.length > 0 || (row.verdict === 'INVALID' && namesWhatWas(row, truth));
    return isKnown ? untrue : [`${row.verdict} though nothing was done`];
  }
  return row.verdict === 'FAIL' ? [...untrue, ...wrongFail(experiment, truth)] : untrue;
}

/** A FAIL blames what is under test: it must not be what we did. A sender elsewhere that dies is under test. */
function wrongFail(experiment, { around, whole, sure }) {
  const stood = [
    ...whole.filter(({ role, seconds }) => !isTool(role) && seconds >= ownSeconds),
    ...sure.filter(({ role, seconds }) => isTool(role) && seconds >= toolSeconds),
  ];
  const killed = around.filter(({ kind, role }) => kind === 'kill' && !role.startsWith('remote '));
  const hogs = experiment === 'quiet' ? [] : around.filter(isHog);
  const causes = [
    ...stood.map(({ role, seconds }) => `${role} stood still for ${seconds.toFixed(2)} s`),
    ...killed.map(({ role }) => `${role} was killed`),
    ...hogs.map(({ kind, cpuSeconds }) => `a ${kind} took ${cpuSeconds.toFixed(1)} s of CPU`),
  ];
  return causes.length === 0 ? [] : [`FAIL although ${causes.join(', ')}`];
}

function unsaid(row, truths) {
  const { verdict, reason } = row;
  if (!standsBy(verdict) || reason.some(({ code }) => standstillCodes.test(code))) return [];
  // Elsewhere only the stream hosts that send are measured.
  return standing(row, truths, (role) => !role.startsWith('remote ') || role === 'remote sending')
    .filter(({ role, seconds }) => seconds >= (isTool(role) ? toolSeconds : ownSeconds))
    .map(
      ({ role, seconds }) =>
        `${verdict} without a word of ${role}, which stood still for ${seconds.toFixed(2)} s`,
    );
}

/** Of the run as a whole: how it ended. */
export function scoreEnd({ ended, seconds, actions }, run) {
  const { exitCode, signal, errors, hung, leftBehind } = ended;
  const kills = actions.filter(({ kind, failed }) => kind === 'kill' && !failed);
  const isEngineKilled = kills.some(({ role }) => role === 'engine');
  const problems = [];
  if (hung !== null)
    problems.push(
      `it did not end, ${hungAfterSeconds} s later than planned, after ${seconds.toFixed(0)} s: ${hung}`,
    );
  if (/\n\s+at \S/.test(errors)) problems.push(`it crashed: ${errors.trim().slice(0, 300)}`);
  if (signal !== null && !isEngineKilled && hung === null) problems.push(`it ended by ${signal}`);
  if (leftBehind.length > 0) problems.push(`it left ${leftBehind.join(', ')} behind`);
  if (run.problem) {
    if (!isEngineKilled) problems.push(`its folder cannot be read: ${run.problem}`);
  } else if (hung === null && !isEngineKilled)
    problems.push(...verdictProblems(run, exitCode, kills, errors));
  return problems.map((text) => ({ kind: 'broken', row: null, text }));
}

function verdictProblems({ verdict }, exitCode, kills, errors) {
  if (verdict !== null)
    return exitCodes[verdict] === exitCode ? [] : [`exit code ${exitCode} for the verdict ${verdict}`];
  return kills.length > 0
    ? []
    : [`no verdict, exit code ${exitCode}, though nothing was killed: ${errors.trim().slice(-300)}`];
}
