import { useConsole } from '../engine/console-store';
import { NdiLink } from '../shell/sheets';
import { texts } from '../texts';
import styles from './settings-screen.module.css';

/** The runtime that the engine loaded, whatever was set. */
export function NdiInUse() {
  const ndi = useConsole((view) => view.engine?.ndi ?? null);
  const isLoading = useConsole((view) => view.engine?.ndiLoading ?? true);
  if (isLoading && !ndi) return null;
  return (
    <p className={styles.hint} data-testid="ndi-in-use">
      {ndi ? texts.settings.inUse(texts.ndi.version(ndi.version), ndi.path) : texts.settings.notInUse}{' '}
      <NdiLink />
    </p>
  );
}
