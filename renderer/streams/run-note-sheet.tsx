import { useState } from 'react';
import { closeSheet } from '../shell/open-sheet';
import { NoteField, TextSheet } from '../shell/text-sheet';
import { texts } from '../texts';
import { saveNote } from './marking';

/** A note for the newest run, whether it is over or not. */
export function RunNoteSheet() {
  const [text, setText] = useState('');
  const { noteTitle, noteText } = texts.marking;
  return (
    <TextSheet title={noteTitle} label={noteText} onClose={closeSheet} save={() => saveNote(text)}>
      {(field) => <NoteField field={field} text={text} onChange={setText} />}
    </TextSheet>
  );
}
