import type { ReactNode } from 'react';
import styles from './button.module.css';
import { Key } from './key';

interface Props {
  children?: ReactNode;
  onPress: () => void;
  /** The key that does the same, as `aria-keyshortcuts` spells it. */
  keys?: string;
  keyLabel?: string;
  size?: 'large' | 'small';
  isPrimary?: boolean;
  isDisabled?: boolean;
  label?: string;
  /** Why it is disabled; null: it is not for that. */
  hindrance?: string | null;
  /** It stays pressed until it is pressed again. */
  isPressed?: boolean;
}

/** Sends the form that it stands in. */
export function SubmitButton({ children, isDisabled }: Pick<Props, 'children' | 'isDisabled'>) {
  return (
    <button type="submit" className={styles.button} data-size="medium" data-primary disabled={isDisabled}>
      {children}
    </button>
  );
}

export function Button({
  children,
  onPress,
  keys,
  keyLabel = keys,
  size = 'large',
  isPrimary,
  hindrance = null,
  isDisabled = hindrance !== null,
  label,
  isPressed,
}: Props) {
  return (
    <button
      type="button"
      className={styles.button}
      data-size={size}
      data-primary={isPrimary || undefined}
      disabled={isDisabled}
      aria-keyshortcuts={keys}
      aria-label={label}
      aria-pressed={isPressed}
      title={hindrance ?? undefined}
      // A press by mouse leaves the focus alone, so that Space after it still starts the ramp.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {children}
      {keyLabel && <Key>{keyLabel}</Key>}
    </button>
  );
}
