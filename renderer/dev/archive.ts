import type {
  ArchiveCommandInput,
  ArchiveCommandName,
  ArchivedRun,
  ArchiveLife,
  ArchiveMessage,
  ArchiveRequest,
  ArchiveResults,
  DeletedRun,
} from '../../app/protocol/archive';
import type { Problem } from '../../app/protocol/errors';
import { archivedRuns, comparedRuns, eventsOf, openedRun, openedSession } from './archive-fixtures';

const asked = new URLSearchParams(location.search);
const goneAfterMs = 1500;
let runs = asked.has('no-runs') ? [] : archivedRuns;
let deleted: { gone: DeletedRun; run: ArchivedRun }[] = [];

/** `?archive-gone`: it dies soon, and is not started again. */
export function reportArchiveLife(listener: (life: ArchiveLife) => void): void {
  if (asked.has('archive-gone')) setTimeout(() => listener({ state: 'crashed', exitCode: 9 }), goneAfterMs);
}

/** An archive that forgets all with the page: `?no-runs` is an empty one, `?unreadable` one that cannot be read. */
export function serveArchiveOver(port: MessagePort): void {
  port.onmessage = ({ data }: MessageEvent<ArchiveRequest>) => {
    const { requestId, command } = data;
    const answer = answerTo(command);
    const message =
      'problem' in answer
        ? { type: 'refusal', requestId, problem: answer.problem }
        : { type: 'result', requestId, name: command.name, result: answer.result };
    port.postMessage(message as ArchiveMessage);
    if (changing.includes(command.name)) port.postMessage({ type: 'changed' } satisfies ArchiveMessage);
  };
}

const changing: ArchiveCommandName[] = ['renameRun', 'addNote', 'pinBaseline', 'deleteRun', 'restoreRun'];

const unreadable = {
  problem: {
    code: 'NOT_FOUND' as const,
    message: 'There is no folder /mnt/measurements/runs with runs in it',
    remedy: 'Connect the drive, or choose another output folder on the Settings screen',
  },
};

type Answer = { result: ArchiveResults[ArchiveCommandName] } | { problem: Problem };

function answerTo(command: ArchiveCommandInput): Answer {
  switch (command.name) {
    case 'listRuns': {
      if (asked.has('unreadable')) return unreadable;
      const { text = '', experiment, verdict, state, host } = command.filter ?? {};
      const found = runs.filter(
        (run) =>
          JSON.stringify(run).toLowerCase().includes(text.toLowerCase()) &&
          (experiment === undefined || run.experiment === experiment) &&
          (verdict === undefined || run.verdict === verdict) &&
          (state === undefined || run.state === state) &&
          (host === undefined || run.hosts.includes(host)),
      );
      const pinned = runs.filter(({ isBaseline }) => isBaseline);
      return {
        result: {
          runs: found,
          total: found.length,
          experiments: [...new Set(runs.map((run) => run.experiment))].sort(),
          hosts: [...new Set(runs.flatMap(({ hosts }) => hosts))].sort(),
          recorded: runs.length,
          baselines: Object.fromEntries(pinned.map((run) => [run.experiment, run.folder])),
        },
      };
    }
    case 'openRun':
      return withRun(command.run, openedRun);
    case 'openSession': {
      const own = runs.filter(({ session }) => session === command.session);
      return { result: openedSession(command.session, own) };
    }
    case 'listEvents': {
      const { offset = 0, limit } = command;
      return withRun(command.run, (run) => {
        const events = eventsOf(run);
        return { events: events.slice(offset, offset + (limit ?? events.length)), total: events.length };
      });
    }
    case 'compareRuns': {
      const [first = '', ...others] = command.runs;
      const known = others.flatMap((name) => runs.filter(({ folder }) => folder === name));
      return withRun(first, (run) => comparedRuns(run, ...known));
    }
    case 'renameRun': {
      const { title } = command;
      if (title.trim() === '') {
        const message = 'Expected a text of 1 to 200 characters for text but received nothing';
        return { problem: { code: 'BAD_INPUT', message } };
      }
      return change(command.run, () => ({ title }));
    }
    case 'addNote':
      return change(command.run, ({ notes }) => ({ notes: [...notes, command.text] }));
    case 'pinBaseline':
      return change(command.run, () => ({ isBaseline: true }));
    case 'deleteRun':
      return withRun(command.run, (run) => {
        const { folder, title, experiment, startedAt } = run;
        const gone = {
          deletion: folder,
          folder,
          title,
          experiment,
          startedAt,
          deletedAt: startedAt,
          wasBaseline: false,
        };
        deleted = [...deleted, { gone, run }];
        runs = runs.filter((other) => other !== run);
        return gone;
      });
    case 'listDeleted':
      return { result: deleted.map(({ gone }) => gone) };
    case 'restoreRun': {
      const restored = deleted.find(({ gone }) => gone.deletion === command.deletion);
      if (!restored) return missing(command.deletion);
      deleted = deleted.filter((other) => other !== restored);
      runs = [...runs, restored.run].sort((one, other) => other.startedAt.localeCompare(one.startedAt));
      return { result: restored.run };
    }
    case 'exportRun':
      return { result: { path: `/home/operator/whiteline-2026-11-21.${command.kind}` } };
    default:
      return { result: null };
  }
}

function change(folder: string, by: (run: ArchivedRun) => Partial<ArchivedRun>): Answer {
  return withRun(folder, (run) => {
    const changed = { ...run, ...by(run) };
    runs = runs.map((other) => (other === run ? changed : other));
    return changed;
  });
}

function withRun(folder: string, answer: (run: ArchivedRun) => ArchiveResults[ArchiveCommandName]): Answer {
  const run = runs.find((other) => other.folder === folder);
  return run ? { result: answer(run) } : missing(folder);
}

function missing(name: string): Answer {
  return { problem: { code: 'NOT_FOUND', message: `There is no run ${name}` } };
}
