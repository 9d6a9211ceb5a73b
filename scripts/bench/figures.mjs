const columns = ['id', 'value', 'unit', 'peer', 'peerValue', 'ratio', 'aim', 'met'];

/**
 * One figure of a benchmark. A value that is null was not measured; `notMeasured` then says why.
 * @param {{id: string, unit: string, value?: number | null, peer?: string | null, peerValue?: number | null,
 *   ratio?: number | null, atMost?: number, atLeast?: number, ratioAtMost?: number,
 *   ratioWithin?: [number, number], notMeasured?: string}} measured
 */
export function figure({ id, unit, value = null, peer = null, peerValue = null, ratio = null, ...rest }) {
  const { notMeasured } = rest;
  return {
    id,
    value,
    unit,
    peer,
    peerValue,
    ratio,
    aim: aimOf(unit, rest),
    met: isMet(value, ratio, rest),
    ...(notMeasured === undefined ? {} : { notMeasured }),
  };
}

function aimOf(unit, { atMost, atLeast, ratioAtMost, ratioWithin }) {
  if (ratioWithin !== undefined) return `ratio ${ratioWithin[0]} to ${ratioWithin[1]}`;
  if (ratioAtMost !== undefined) return `ratio ≤ ${ratioAtMost}`;
  if (atLeast !== undefined) return `≥ ${atLeast} ${unit}`;
  return atMost === undefined ? null : `≤ ${cellOf(atMost)} ${unit}`;
}

/** Null if nothing is aimed at, or nothing was measured. */
function isMet(value, ratio, { atMost, atLeast, ratioAtMost, ratioWithin }) {
  if (ratioWithin !== undefined)
    return ratio === null ? null : ratio >= ratioWithin[0] && ratio <= ratioWithin[1];
  if (ratioAtMost !== undefined) return ratio === null ? null : ratio <= ratioAtMost;
  if (value === null) return null;
  if (atLeast !== undefined) return value >= atLeast;
  return atMost === undefined ? null : value <= atMost;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Two-sided 95 % quantiles of Student's t, by degrees of freedom from 1 on. */
const studentT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

/**
 * The geometric mean of ratios and its 95 % interval; from more ratios than there are quantiles it is a little wide. Null of
 * fewer than two.
 */
export function ratioInterval(ratios) {
  if (ratios.length < 2) return null;
  const logarithms = ratios.map(Math.log);
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / ratios.length;
  const squares = logarithms.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const freedom = ratios.length - 1;
  const reach =
    studentT[Math.min(freedom, studentT.length) - 1] * Math.sqrt(squares / freedom / ratios.length);
  return { mean: Math.exp(mean), low: Math.exp(mean - reach), high: Math.exp(mean + reach) };
}

/** Prints the figures as a table, and under it why some of them were not measured. */
export function printFigures(figures) {
  const rows = [columns, ...figures.map((entry) => columns.map((column) => cellOf(entry[column])))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index].length)));
  for (const row of rows) {
    process.stdout.write(`${row.map((cell, index) => cell.padEnd(widths[index])).join('  ')}\n`);
  }
  for (const { id, notMeasured } of figures) {
    if (notMeasured) process.stdout.write(`${id}: not measured: ${notMeasured}\n`);
  }
}

function cellOf(value) {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? String(Number(value.toPrecision(4))) : String(value);
}
