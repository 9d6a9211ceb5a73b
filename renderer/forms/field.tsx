import { useId } from 'react';
import styles from './field.module.css';

interface Props {
  label: string;
  value: string;
  unit?: string;
  hint?: string;
  problem?: string;
  /** Where the problem is said, for a field that has no room for it; default: below. */
  problemId?: string;
  isNumeric?: boolean;
  onChange: (value: string) => void;
}

/** A value to type, with what is wrong about it said below. */
export function Field({ label, value, unit, hint, problem, problemId, isNumeric, onChange }: Props) {
  const ownId = useId();
  const describedBy = problemId ?? ownId;
  return (
    <label className={styles.field}>
      <span className={styles.label}>
        {label}
        {unit && ` (${unit})`}
      </span>
      <input
        className={styles.input}
        value={value}
        placeholder={hint}
        inputMode={isNumeric ? 'decimal' : undefined}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problem !== undefined}
        aria-describedby={problem ? describedBy : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem && problemId === undefined && (
        <span className={styles.problem} id={ownId} data-testid="field-problem">
          {problem}
        </span>
      )}
    </label>
  );
}
