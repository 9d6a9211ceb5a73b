import { useState } from 'react';
import { command } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { closeSheet } from '../shell/open-sheet';
import { TextSheet } from '../shell/text-sheet';
import { texts } from '../texts';
import { useRenamed } from './open-rename';
import styles from './rename-sheet.module.css';

const words = texts.streams.rename;

/** What a stream is called from its next row on. */
export function RenameSheet() {
  const streamId = useRenamed((view) => view.streamId);
  const stream = useConsole(({ engine }) => engine?.streams.find(({ id }) => id === streamId));
  // It may be removed meanwhile.
  return stream ? <NameForm streamId={stream.id} name={stream.name} ndiName={stream.ndiName} /> : null;
}

function NameForm({ streamId, name, ndiName }: { streamId: number; name: string; ndiName: string }) {
  const [streamName, setName] = useState(name);
  return (
    <TextSheet
      title={words.title(name)}
      label={words.label}
      onClose={closeSheet}
      save={async () => (await command({ name: 'renameStream', streamId, streamName })).problem}
    >
      {(field) => (
        <>
          <input
            {...field}
            value={streamName}
            maxLength={64}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => setName(target.value)}
          />
          <p className={styles.help}>{words.help(ndiName)}</p>
        </>
      )}
    </TextSheet>
  );
}
