import styles from './command-line.module.css';

/** A command to be typed elsewhere; one click marks the whole of it. */
export function CommandLine({ text, help }: { text: string; help?: string }) {
  return (
    <code className={styles.command} title={help}>
      {text}
    </code>
  );
}
