import { useState } from 'react';
import type { ArchivedRun } from '../../app/protocol/archive';
import { type ExportKind, exportKindSchema } from '../../app/protocol/shell';
import { command } from '../engine/connection';
import { Dialog } from '../shell/dialog';
import exports from '../shell/sheets.module.css';
import { NoteField, TextSheet } from '../shell/text-sheet';
import { texts } from '../texts';
import { archive } from './archive';
import { DeletedSheet } from './deleted-sheet';
import { exportGroup, exportRun } from './session-actions';
import { closeSheet, useSessions } from './sessions-store';

const { sessions } = texts;

/** The sheet that is open over the screen, if any. */
export function SessionsSheets() {
  const sheet = useSessions((state) => state.sheet);
  switch (sheet?.name) {
    case 'rename':
      return <RenameSheet run={sheet.run} />;
    case 'note':
      return <NoteSheet run={sheet.run} />;
    case 'export':
      return <ExportSheet title={sheet.run.title} write={(kind) => void exportRun(sheet.run, kind)} />;
    case 'exportGroup':
      return <ExportSheet title={sheet.title} write={(kind) => void exportGroup(sheet.group, kind)} />;
    case 'newSession':
      return <NewSessionSheet />;
    case 'deleted':
      return <DeletedSheet />;
    default:
      return null;
  }
}

function RenameSheet({ run }: { run: ArchivedRun }) {
  const [title, setTitle] = useState(run.title);
  return (
    <TextSheet
      title={sessions.renameTitle}
      label={sessions.newTitle}
      onClose={closeSheet}
      save={async () => (await archive.ask({ name: 'renameRun', run: run.folder, title })).problem}
    >
      {(field) => (
        <input
          {...field}
          value={title}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => setTitle(target.value)}
        />
      )}
    </TextSheet>
  );
}

function NewSessionSheet() {
  const [title, setTitle] = useState('');
  return (
    <TextSheet
      title={sessions.newSessionTitle}
      label={sessions.newSessionName}
      saveLabel={sessions.beginSession}
      onClose={closeSheet}
      save={async () => (await command({ name: 'newSession', title })).problem}
    >
      {(field) => (
        <input {...field} value={title} maxLength={200} onChange={({ target }) => setTitle(target.value)} />
      )}
    </TextSheet>
  );
}

function NoteSheet({ run }: { run: ArchivedRun }) {
  const [text, setText] = useState('');
  return (
    <TextSheet
      title={sessions.noteTitle}
      label={sessions.noteText}
      onClose={closeSheet}
      save={async () => (await archive.ask({ name: 'addNote', run: run.folder, text })).problem}
    >
      {(field) => <NoteField field={field} text={text} onChange={setText} />}
    </TextSheet>
  );
}

function ExportSheet({ title, write }: { title: string; write: (kind: ExportKind) => void }) {
  return (
    <Dialog title={sessions.exportTitle(title)} onClose={closeSheet}>
      <div className={exports.exports}>
        {exportKindSchema.options.map((kind) => (
          <button
            key={kind}
            type="button"
            className={exports.export}
            onClick={() => {
              closeSheet();
              write(kind);
            }}
          >
            <b>{texts.export.kinds[kind]}</b>
            <span>{texts.export.help[kind]}</span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}
