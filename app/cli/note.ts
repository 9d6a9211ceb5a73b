import type { Command } from 'commander';
import { dateNow, machineClock } from '../engine/clock';
import { pinBaseline, readBaselines, unpinBaseline } from '../engine/history/baseline';
import { runFolderOf } from '../engine/history/history';
import { annotateRun, pictureEvent, type Remark, remarkEvent } from '../engine/sessions/notes';
import { badInput, exitCodes } from '../protocol/errors';
import { finish } from './finish';
import { runsFlag } from './runs';
import { print } from './terminal';

interface NoteFlags {
  runs: string;
  marker?: boolean;
  picture?: string;
  switch?: string;
  title?: string;
}

/** Adds `whiteline note` and `whiteline baseline`. */
export function addNoteCommands(program: Command): void {
  program
    .command('note <run> [text]')
    .description('Adds a note to a recorded run; with --picture, the text says what the picture shows')
    .option(...runsFlag())
    .option('--marker', 'marks this moment with the text, instead of adding a note')
    .option('--picture <file>', 'attaches a PNG, JPEG or WebP picture')
    .option('--switch <text>', 'model and settings of the network switch, for the run’s environment')
    .option('--title <text>', 'gives the run another title')
    .action(finish(noteCommand));
  program
    .command('baseline [run]')
    .description('Makes a run the baseline of its experiment; without a run, lists the baselines')
    .option(...runsFlag())
    .option('--remove <experiment>', 'removes the baseline of this experiment')
    .action(finish(baselineCommand));
}

async function noteCommand(reference: string, text: string | undefined, flags: NoteFlags): Promise<number> {
  const folder = runFolderOf(flags.runs, reference);
  const remarks: Remark[] = [];
  if (text !== undefined && flags.picture === undefined)
    remarks.push({ kind: flags.marker ? 'marker' : 'note', text });
  if (flags.switch !== undefined) remarks.push({ kind: 'switch', text: flags.switch });
  if (flags.title !== undefined) remarks.push({ kind: 'renamed', text: flags.title });
  const now = dateNow(machineClock);
  const events = remarks.map((remark) => remarkEvent(remark, now));
  if (flags.picture !== undefined) events.push(pictureEvent(folder, flags.picture, text ?? '', now));
  if (events.length === 0) throw badInput('text', 'a text, --picture, --switch or --title', '');
  annotateRun(folder, events);
  print(`Noted in ${folder}`);
  return exitCodes.pass;
}

async function baselineCommand(
  reference: string | undefined,
  { runs, remove }: { runs: string; remove?: string },
): Promise<number> {
  if (remove !== undefined) unpinBaseline(runs, remove);
  if (reference !== undefined) pinBaseline(runs, runFolderOf(runs, reference));
  const pinned = Object.entries(readBaselines(runs));
  const lines = pinned.map(([experiment, folder]) => `${experiment}: ${folder}`);
  print(...(lines.length > 0 ? lines : ['No run is pinned.']));
  return exitCodes.pass;
}
