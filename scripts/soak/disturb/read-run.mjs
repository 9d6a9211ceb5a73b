import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A run's folder as the scoring needs it. Times of rows are given by the monotonic clock, ns, as those of the disturbances are. */

/** What it holds, or `problem`: why it cannot be read. */
export function readRunFolder(folder) {
  try {
    const { verdict = null, state, reason, wallOffsets } = JSON.parse(textOf(folder, 'run.json'));
    const offsetUs = wallOffsets[0].offsetUs;
    const toNs = (time) => (Date.parse(time) * 1000 - offsetUs) * 1000;
    const rows = linesOf(folder, 'rows.jsonl')
      .filter(({ to }) => to !== null)
      .map((row) => ({ ...row, fromNs: toNs(row.from), toNs: toNs(row.to), logs: logsOf(folder, row) }));
    const stolen = linesOf(folder, 'samples.jsonl').map(({ atNs, cpuStealPercent }) => ({
      atNs,
      cpuStealPercent,
    }));
    return { verdict, state, reason, rows, stolen };
  } catch (error) {
    return { problem: error.message };
  }
}

/** Lines that are not whole are what a kill leaves behind. */
function linesOf(folder, name) {
  return textOf(folder, name)
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

function textOf(folder, name) {
  return readFileSync(path.join(folder, name), 'utf8');
}

/** What was written beside the counts: by each receiver of each stream, and by the receiver of packets. */
function logsOf(folder, { subjects, details }) {
  const streams = subjects
    .filter(({ kind }) => kind === 'stream')
    .map(({ id }) => [id, path.join(folder, `captured-${id}.log`)])
    .filter(([, file]) => existsSync(file))
    .map(([id, file]) => [id, capturesOf(file)]);
  const stamps = details?.rawLog && path.join(folder, details.rawLog);
  return {
    captured: Object.fromEntries(streams),
    packets: stamps && existsSync(stamps) ? packetsOf(stamps) : null,
  };
}

/** A line for each picture: captureNs sourceId frameNumber status senderId. */
function capturesOf(file) {
  return readFileSync(file, 'latin1')
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .filter((fields) => fields.length === 5)
    .map(([captureNs, sourceId, frameNumber, status]) => ({ captureNs, sourceId, frameNumber, status }));
}

function packetsOf(file) {
  return readFileSync(file, 'latin1')
    .split('\n')
    .filter((line) => /^\d+,/.test(line))
    .map((line) => Number(line.split(',', 1)[0]));
}
