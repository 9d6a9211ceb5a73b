import type { recordCommands } from '../../protocol/console-commands';
import type { Handlers } from '../../rpc/serve-commands';
import { done, type EngineParts } from './engine-parts';

/** What is written of the newest run, or said of any. */
export function recordHandlers({
  work,
  run,
  alerts,
}: Pick<EngineParts, 'work' | 'run' | 'alerts'>): Handlers<typeof recordCommands> {
  return {
    newSession: ({ title }) => done(work.newSession(title)),
    export: ({ kind, grant }) => done(run.export(kind, grant, work.mode !== 'idle')),
    addNote: (note) => done(run.addNote(note)),
    attachPicture: (picture) => done(run.attachPicture(picture)),
    dismissAlert: ({ key }) => {
      alerts.dismiss(key);
      return null;
    },
  };
}
