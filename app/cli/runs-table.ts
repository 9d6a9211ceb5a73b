import { shortList } from '../experiments/tested';
import { counted } from '../facts/count-words';
import type { RunSummary } from '../protocol/history';
import { fitted } from './terminal';

/**
 * Two lines for each run: what finds it again, its folder whole and last, since that is what other commands are given; below it what was
 * tested, where, and its sentence, as much of it as the terminal has room for.
 */
export function runsTable(runs: readonly RunSummary[]): string[] {
  if (runs.length === 0) return ['No matching runs.'];
  const head = ['began', 'experiment', 'verdict', 'folder'];
  const lines = runs.map((run) => [
    localTime(run.startedAt),
    run.experiment,
    run.verdict ?? run.state,
    run.folder,
  ]);
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  );
  const lineOf = (cells: readonly string[]): string =>
    cells.map((text, column) => (column === 3 ? text : text.padEnd(widths[column] ?? 0))).join('  ');
  return [
    lineOf(head),
    ...lines.flatMap((line, index) => [lineOf(line), fitted(`  ${aboutText(runs[index])}`)]),
  ];
}

/** "white-line 1280x720@60, 4 streams, render-1: 4 streams carried without losing a frame" */
function aboutText(run: RunSummary | undefined): string {
  if (!run) return '';
  const { sources, formats, streams, hosts, reason } = run;
  const what = [shortList(sources), shortList(formats)].filter((text) => text !== '').join(' ');
  const how = streams > 0 ? counted(streams, 'stream') : '';
  const tested = [what, how, hosts.join(', ')].filter((text) => text !== '').join(', ');
  return tested === '' ? reason : `${tested}: ${reason}`;
}

function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
