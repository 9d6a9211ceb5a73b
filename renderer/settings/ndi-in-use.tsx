import { ndiRuntimeOf } from '../../app/protocol/transports';
import { useConsole } from '../engine/console-store';
import { NdiLink } from '../shell/sheets';
import { texts } from '../texts';
import styles from './settings-screen.module.css';

/** The runtime that the engine loaded, whatever was set. */
export function NdiInUse() {
  const ndi = ndiRuntimeOf(useConsole((view) => view.engine?.transport ?? null));
  const isLoading = useConsole((view) => view.engine?.transportLoading ?? true);
  if (isLoading && !ndi) return null;
  return (
    <p className={styles.hint} data-testid="ndi-in-use">
      {ndi ? texts.settings.inUse(texts.ndi.version(ndi.version), ndi.path) : texts.settings.notInUse}{' '}
      <NdiLink />
    </p>
  );
}
