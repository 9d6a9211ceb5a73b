import { remark, scores } from './score.mjs';

/** The outcome in words and as a table. */

const columns = [...scores, remark];

/** What was done, in words, by seconds from the row's beginning. */
export function actionText(action, fromNs) {
  const { kind, role, from, to, seconds = ((to ?? 0) - (from ?? 0)) / 1e9, failed, cpuSeconds } = action;
  if (failed) return `${kind} of ${role} not done: ${failed}`;
  const at = `at ${((from - fromNs) / 1e9).toFixed(2)} s`;
  if (kind === 'kill') return `${role} killed ${at}`;
  if (kind === 'stop') return `${role} stopped ${at} for ${seconds.toFixed(2)} s`;
  return `${kind} (${role}) ${at} for ${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(1)} s of CPU`;
}

/** How a run of an area of the soak is repeated: by the seed and its number. */
export function againBy(area, seed) {
  return ({ experiment, number }) =>
    `npm run soak -- ${area} --seed ${seed} --only '${experiment.id}' (run ${number})`;
}

export function findingText({ kind, row, text, isApart, reason }, { experiment, again, done }) {
  const where = row === null ? experiment.id : `${experiment.id}, row ${row}`;
  return [
    `${kind.toUpperCase()}${isApart ? ' (apart: the CPU was taken)' : ''}: ${where}: ${text}`,
    `  done: ${done}`,
    ...(reason ? [`  said: ${reason}`] : []),
    `  again: ${again}`,
  ].join('\n');
}

/** Rows by experiment and category, and the findings in them. */
export function table(outcomes) {
  const lines = new Map();
  for (const { experiment, rows, findings } of outcomes) {
    for (const { category, row } of rows) {
      const key = `${experiment.id}\t${category}`;
      const line = lines.get(key) ?? { rows: 0, ...Object.fromEntries(columns.map((name) => [name, 0])) };
      line.rows += 1;
      for (const finding of findings.filter((one) => one.row === row)) line[finding.kind] += 1;
      lines.set(key, line);
    }
  }
  const head = ['experiment', 'what', 'rows', ...columns];
  const body = [...lines]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([key, line]) => [...key.split('\t'), line.rows, ...columns.map((name) => line[name])].map(String));
  const widths = head.map((_, index) => Math.max(...[head, ...body].map((cells) => cells[index].length)));
  return [head, ...body]
    .map((cells) =>
      cells
        .map((cell, index) => cell.padEnd(widths[index]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** How many findings of each score there are, and how many were put apart. */
export function totals(outcomes) {
  const findings = outcomes.flatMap((outcome) => outcome.findings);
  const count = (kind, isApart) =>
    findings.filter((one) => one.kind === kind && Boolean(one.isApart) === isApart).length;
  return {
    scored: Object.fromEntries(scores.map((kind) => [kind, count(kind, false)])),
    apart: scores.reduce((sum, kind) => sum + count(kind, true), 0),
    remarks: count(remark, false),
  };
}
