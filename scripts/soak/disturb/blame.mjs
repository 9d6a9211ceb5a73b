import { isHog, isTool } from './truth.mjs';

/** Whether a row blames what was not touched. Pure. */

/** Roles by the words that a reason may use for them. */
const namesOfRole = {
  engine: /engine|console|command/,
  sending: /sending|content/,
  receiving: /receiving/,
  content: /content|sending/,
  'pacer that sends': /pac|send/,
  'pacer that receives': /pac|receiv|listen/,
  'fan-out': /publish|subscri|count|fan-out/,
  registry: /registry/,
  nodes: /node|load/,
  controller: /controller/,
};
/** How far a stated length may differ from ours: a process looks every 50 ms, a tool is checked four times a second. */
const ownMarginSeconds = 0.2;
const toolMarginSeconds = 0.6;
/** Below these it cannot be said that something was taken: limits are 25 % and 5 %. */
const leastOthersPercent = 15;
const leastStolenPercent = 3;

const never = 'that was not so';
const codes = {
  'others-busy': othersProblem,
  'machine-taken': othersProblem,
  'busy-baseline': othersProblem,
  'busy-before': othersProblem,
  'cpu-stolen': stolenProblem,
  'busy-hypervisor': stolenProblem,
  'wall-clock-step': () => never,
  'sender-clock-step': () => never,
  suspended: () => never,
  'process-stopped': (truth, data) => standstillProblem(truth, data, 'stopped'),
  'process-starved': (truth, data) => standstillProblem(truth, data, 'starved'),
  'thread-stopped': (truth, data) => standstillProblem(truth, data, 'stopped'),
  'process-waited': (truth, data) => standstillProblem(truth, data, 'starved'),
  'stood-still': (truth) => standstillProblem(truth, { role: 'publisher, subscriber' }, 'starved'),
  'load-stood-still': (truth) => standstillProblem(truth, { role: 'nodes' }, 'starved'),
  'controller-stood-still': (truth) => standstillProblem(truth, { role: 'controller' }, 'starved'),
  'helper-died': deathProblem,
  'process-died': deathProblem,
  'process-lost': deathProblem,
  'datagrams-overflowed': overflowProblem,
};
const changesNever = [
  'wall-clock-step',
  'sender-clock-step',
  'machine-suspended',
  'link-down',
  'mtu-changed',
];
const networkNever = [
  ...['traffic-stopped', 'traffic-fell', 'traffic-limited', 'traffic-low'],
  'interface-errors',
];
/** Causes that a reason says were seen beside a loss. */
const seenCodes = {
  ...Object.fromEntries([...changesNever, ...networkNever].map((code) => [code, () => never])),
  'cpu-stolen': stolenProblem,
};

/** Statements of a row that are not true, each with why. */
export function untrueStatements(row, truth) {
  const said = statementsOf(row).map(([statement, problemOf]) => [statement, problemOf(truth)]);
  return [...new Set(said.filter(([, problem]) => problem !== null).map((parts) => parts.join(': ')))];
}

/** Whether a row names something that did take place: other programs, the hypervisor, a standstill. */
export function namesWhatWas(row, truth) {
  return statementsOf(row).some(([, problemOf]) => problemOf(truth) === null);
}

/** What a row says of what was or was not there, each with why it is not true (null if it is). */
function statementsOf({ reason, subjects }) {
  const facts = [...reason, ...subjects.flatMap((subject) => subject.reason ?? [])];
  const seen = facts.flatMap((fact) => fact.seen ?? []);
  return [
    ...saidBy(facts, codes),
    ...saidBy(seen, seenCodes).map(([statement, problemOf]) => [`${statement} seen beside it`, problemOf]),
  ];
}

function saidBy(facts, problems) {
  return facts
    .filter(({ code }) => code in problems)
    .map(({ code, data }) => [statementOf(code, data), (truth) => problems[code](truth, data)]);
}

function statementOf(code, { role, tool, sender, helper, name, seconds }) {
  const who = [tool, role, helper, name, sender && `sender of ${sender}`].filter(Boolean).join(' ');
  return [code, who, seconds === undefined ? '' : `${Number(seconds).toFixed(2)} s`]
    .filter(Boolean)
    .join(' ');
}

function othersProblem({ around, othersPercent }) {
  if (othersPercent >= leastOthersPercent || around.some(isHog)) return null;
  return `others took ${othersPercent.toFixed(0)} % at most`;
}

function stolenProblem({ stolenPercent }) {
  if (stolenPercent >= leastStolenPercent) return null;
  return `the hypervisor took ${stolenPercent.toFixed(0)} % at most`;
}

function overflowProblem({ haveDatagramsOverflowed }) {
  return haveDatagramsOverflowed ? null : 'no buffer of a socket overflowed';
}

function standstillProblem(truth, data, kind) {
  const stops = truth.whole.filter(({ role }) => isNamed(role, data));
  const isTaken = othersProblem(truth) === null || stolenProblem(truth) === null;
  if (kind === 'starved' && isTaken) return null;
  if (stops.length === 0) return 'it was not touched';
  if (typeof data.seconds !== 'number' || isTaken) return null;
  const longest = stops.reduce((sum, { seconds }) => sum + seconds, 0);
  const margin = isTool(stops[0].role) ? toolMarginSeconds : ownMarginSeconds;
  return data.seconds > longest + margin ? `it stood still for ${longest.toFixed(2)} s at most` : null;
}

function isNamed(role, { tool, role: name, sender }) {
  const isRemote = role.startsWith('remote ');
  if (sender) return isRemote;
  if (tool) return role === tool;
  if (name === 'tools') return isTool(role);
  return !isRemote && (namesOfRole[role] ?? new RegExp(role)).test(String(name));
}

function deathProblem({ around }) {
  return around.some(({ kind }) => kind === 'kill') ? null : 'nothing was killed';
}
