import { receiverNames } from '../../app/protocol/stream-parameters';
import { texts } from '../texts';
import styles from './form.module.css';

/** Names that a text may have. */
export interface Offered {
  names: readonly string[];
  /** It takes several, with commas between them. */
  takesSeveral: boolean;
  /** What is known of a name, by it. */
  notes?: Readonly<Record<string, string>>;
}

interface Props extends Offered {
  label: string;
  value: string;
  /** The name that counts as pressed while none is chosen. */
  without?: string;
  onChange: (value: string) => void;
}

/** A key for each name; pressed ones stand in the text, in the order in which they were pressed. */
export function OfferedNames({ label, names, takesSeveral, value, without, onChange }: Props) {
  const chosen = receiverNames(value);
  const isPressed = (name: string): boolean =>
    chosen.includes(name) || (chosen.length === 0 && name === without);
  function press(name: string): void {
    if (chosen.includes(name)) onChange(chosen.filter((one) => one !== name).join(','));
    else onChange(takesSeveral ? [...chosen, name].join(',') : name);
  }
  return (
    <fieldset className={styles.offered}>
      <legend className="visually-hidden">{label}</legend>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.choose}
          aria-pressed={isPressed(name)}
          onClick={() => press(name)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

/** One of names of which something is to be known before one is chosen. */
export function OfferedList({ label, names, notes = {}, value, onChange }: Omit<Props, 'takesSeveral'>) {
  return (
    <select
      className={styles.choose}
      aria-label={label}
      value={names.includes(value) ? value : ''}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{texts.forms.leftOpen}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {notes[name] ? `${name}: ${notes[name]}` : name}
        </option>
      ))}
    </select>
  );
}
