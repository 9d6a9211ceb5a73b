import { useEffect, useState } from 'react';
import type {
  ArchiveCommand,
  ArchiveCommandName,
  ArchiveLife,
  ArchiveResult,
} from '../../app/protocol/archive';
import { shellChannels } from '../../app/protocol/bridge';
import type { Problem } from '../../app/protocol/errors';
import { ArchiveClient } from '../engine/archive-client';
import { shell } from '../engine/connection';
import { useConsole, withAlert, withoutAlert } from '../engine/console-store';
import { texts } from '../texts';
import { useSessions } from './sessions-store';

export const archive = new ArchiveClient(() =>
  useSessions.setState(({ version }) => ({ version: version + 1 })),
);

let isConnected = false;

/** The archive is started by the first window that shows recorded runs. */
export function connectArchive(): void {
  if (isConnected) return;
  isConnected = true;
  window.addEventListener('message', ({ source, data, ports }) => {
    const port = ports[0];
    if (source === window && port && data?.type === shellChannels.archivePort) archive.takePort(port);
  });
  shell.onArchiveLife(followLife);
  shell.requestArchivePort();
}

function followLife(life: ArchiveLife): void {
  const { archiveCrashed, archiveCrashedRemedy, archiveBack } = texts.sessions;
  const key = 'archive:crashed';
  if (life.state === 'crashed') {
    archive.drop();
    const message = archiveCrashed(life.exitCode);
    useConsole.setState((view) =>
      withAlert(view, { key, severity: 'warning', message, remedy: archiveCrashedRemedy }),
    );
  } else if (useSessions.getState().isGone) report(key, archiveBack);
  useSessions.setState({ isGone: life.state === 'crashed' });
}

/** Does what an operator asked for; a refusal becomes an alert, and undefined. */
export async function perform<Name extends ArchiveCommandName>(
  command: ArchiveCommand<Name>,
): Promise<ArchiveResult<Name> | undefined> {
  const { name }: { name: Name } = command;
  const key = `archive:${name}`;
  const { result, problem } = await archive.ask(command);
  useConsole.setState((view) =>
    problem ? withAlert(view, { ...problem, key, severity: 'error' }) : withoutAlert(view, key),
  );
  return problem ? undefined : result;
}

export function report(key: string, message: string): void {
  useConsole.setState((view) => withAlert(view, { key, severity: 'info', message }));
}

/** Changes when a run of this engine begins or ends: what was read of it is out of date. */
export function useRecording(): string {
  return useConsole(({ engine }) => `${engine?.mode} ${engine?.run?.id}`);
}

export interface Reading<Result> {
  /** The newest that was read; stays while it is read anew. */
  result: Result | null;
  problem: Problem | null;
  retry(): void;
}

/** What a command answers, read again whenever it, the archive or `occasion` changes. */
export function useReading<Name extends ArchiveCommandName>(
  command: ArchiveCommand<Name>,
  occasion = '',
): Reading<ArchiveResult<Name>> {
  const [state, setState] = useState<Omit<Reading<ArchiveResult<Name>>, 'retry'>>({
    result: null,
    problem: null,
  });
  const version = useSessions((sessions) => sessions.version);
  const [attempt, setAttempt] = useState(0);
  const key = JSON.stringify(command);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the others ask for the same once more.
  useEffect(() => {
    let isWanted = true;
    void archive.ask(JSON.parse(key) as ArchiveCommand<Name>).then(({ result, problem }) => {
      // The archive that ended is asked once more when it is back: what was read before stays till then.
      if (!isWanted || (problem && useSessions.getState().isGone)) return;
      setState((before) => (problem ? { ...before, problem } : { result, problem: null }));
    });
    return () => {
      isWanted = false;
    };
  }, [key, version, attempt, occasion]);

  return { ...state, retry: () => setAttempt((number) => number + 1) };
}
