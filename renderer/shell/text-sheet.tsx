import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { type Problem, problemText } from '../../app/protocol/errors';
import { texts } from '../texts';
import { SubmitButton } from './button';
import { Dialog } from './dialog';
import styles from './text-sheet.module.css';

export interface FieldMarks {
  id: string;
  className: string | undefined;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

interface Props {
  title: string;
  label: string;
  onClose(): void;
  /** On the button, where it does more than save. */
  saveLabel?: string;
  /** What is wrong with the text; null once it is saved. */
  save(): Promise<Problem | null>;
  children: (field: FieldMarks) => ReactNode;
}

/** One text to type; what is wrong with it is said below it, and the sheet stays. */
export function TextSheet({ title, label, saveLabel = texts.actions.save, onClose, save, children }: Props) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const id = useId();
  const problemId = useId();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const refusal = await save();
    setProblem(refusal);
    if (!refusal) onClose();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {children({
          id,
          className: styles.input,
          'aria-invalid': problem !== null,
          'aria-describedby': problem ? problemId : undefined,
        })}
        {problem && (
          <p className={styles.problem} id={problemId} role="alert">
            {problemText(problem)}
          </p>
        )}
        <div className={styles.save}>
          <SubmitButton>{saveLabel}</SubmitButton>
        </div>
      </form>
    </Dialog>
  );
}

interface NoteFieldProps {
  field: FieldMarks;
  text: string;
  onChange(text: string): void;
}

/** Several lines: Enter saves, Shift+Enter begins another one. */
export function NoteField({ field, text, onChange }: NoteFieldProps) {
  return (
    <textarea
      {...field}
      rows={5}
      value={text}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={(event) => {
        const { key, shiftKey, nativeEvent, currentTarget } = event;
        // Enter also takes a word of an input method.
        if (key !== 'Enter' || shiftKey || nativeEvent.isComposing) return;
        event.preventDefault();
        currentTarget.form?.requestSubmit();
      }}
    />
  );
}
