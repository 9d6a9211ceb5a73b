import { exportKindSchema, externalLinks } from '../../app/protocol/shell';
import { exportRun } from '../engine/actions';
import { shell } from '../engine/connection';
import { BatterySheet } from '../streams/battery-sheet';
import { MoviesSheet } from '../streams/movies-sheet';
import { PresetsSheet } from '../streams/presets-sheet';
import { RenameSheet } from '../streams/rename-sheet';
import { RunNoteSheet } from '../streams/run-note-sheet';
import { texts } from '../texts';
import { TimelineSheet } from '../timeline/timeline-sheet';
import { Dialog } from './dialog';
import { Key } from './key';
import { closeSheet, useSheet } from './open-sheet';
import styles from './sheets.module.css';
import { StopSheet } from './stop-sheet';

/** The sheet that is open, if any. */
export function Sheets() {
  const open = useSheet((state) => state.open);
  switch (open) {
    case 'shortcuts':
      return <ShortcutsSheet />;
    case 'export':
      return <ExportSheet />;
    case 'note':
      return <RunNoteSheet />;
    case 'presets':
      return <PresetsSheet />;
    case 'battery':
      return <BatterySheet />;
    case 'movies':
      return <MoviesSheet />;
    case 'timeline':
      return <TimelineSheet />;
    case 'renameStream':
      return <RenameSheet />;
    case 'stop':
      return <StopSheet />;
    default:
      return null;
  }
}

function ShortcutsSheet() {
  return (
    <Dialog title={texts.shortcuts.title} isWide onClose={closeSheet}>
      <dl className={styles.keys}>
        {texts.shortcuts.list.map(([key, meaning]) => (
          <div key={key} className={styles.keyRow}>
            <dt>
              <Key>{key}</Key>
              <span className="visually-hidden">{key}</span>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
        <div className={styles.keyRow}>
          <dt>{texts.shortcuts.zoom}</dt>
          <dd>{texts.shortcuts.zoomText}</dd>
        </div>
      </dl>
    </Dialog>
  );
}

function ExportSheet() {
  return (
    <Dialog title={texts.export.title} onClose={closeSheet}>
      <div className={styles.exports}>
        {exportKindSchema.options.map((kind) => (
          <button
            key={kind}
            type="button"
            className={styles.export}
            onClick={() => {
              closeSheet();
              void exportRun(kind);
            }}
          >
            <b>{texts.export.kinds[kind]}</b>
            <span>{texts.export.help[kind]}</span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}

/** Stands near every place where NDI is used or chosen, as its licence asks. */
export function NdiLink() {
  return (
    <button type="button" className={styles.link} onClick={() => void shell.openExternal(externalLinks[0])}>
      {texts.ndi.link}
    </button>
  );
}
