import styles from './form.module.css';

/** Names that a text may have. */
export interface Offered {
  names: readonly string[];
  /** It takes several, with commas between them. */
  takesSeveral: boolean;
}

interface Props extends Offered {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A key for each name; pressed ones stand in the text, in the order in which they were pressed. */
export function OfferedNames({ label, names, takesSeveral, value, onChange }: Props) {
  const chosen = namesIn(value);
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
          aria-pressed={chosen.includes(name)}
          onClick={() => press(name)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
