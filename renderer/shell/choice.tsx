import { useId } from 'react';
import styles from './choice.module.css';

interface Props<Value extends string> {
  label: string;
  options: readonly (readonly [value: Value, label: string])[];
  /** Null when none of the options is what is set. */
  value: Value | null;
  /** In columns of one width; without it, one row in which each takes the room it needs. */
  columns?: number;
  /** Id of what is said of it. */
  describedBy?: string;
  onChange: (value: Value) => void;
}

/** One of a few, as a row of keys to press: radio buttons underneath, so arrows and screen readers work. */
export function Choice<Value extends string>({
  label,
  options,
  value,
  columns,
  describedBy,
  onChange,
}: Props<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.choice} aria-describedby={describedBy}>
      <legend className="visually-hidden">{label}</legend>
      <div
        className={styles.options}
        data-row={columns === undefined || undefined}
        style={{ gridTemplateColumns: columns ? `repeat(${columns}, minmax(0, 1fr))` : undefined }}
      >
        {options.map(([option, text]) => (
          <label key={option} className={styles.option}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              checked={option === value}
              onChange={() => onChange(option)}
            />
            <span className={styles.text}>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
