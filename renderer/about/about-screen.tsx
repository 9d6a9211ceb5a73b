import { useEffect, useState } from 'react';
import type { About, Notice, NoticeId } from '../../app/protocol/about';
import { ndiRuntimeOf } from '../../app/protocol/transports';
import { isInBrowser, shell } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { Button } from '../shell/button';
import { Choice } from '../shell/choice';
import { ScrollRoom } from '../shell/scroll-room';
import { NdiLink } from '../shell/sheets';
import { texts } from '../texts';
import styles from './about-screen.module.css';

const versionNames = Object.entries(texts.about.names) as [keyof About['versions'], string][];

/** What this is, which versions run, and whose work is in it on what terms. */
export function AboutScreen() {
  const [about, setAbout] = useState<About | null>(null);
  useEffect(() => void shell.readAbout().then(setAbout), []);
  return <AboutText about={about} />;
}

/** Null: not read yet. */
export function AboutText({ about }: { about: About | null }) {
  return (
    <div className={styles.screen}>
      <section className={styles.panel} aria-label={texts.about.title}>
        <h2 className={styles.title}>{texts.about.title}</h2>
        <p>{texts.about.text}</p>
        <p>{texts.about.licence}</p>
        <p>
          {texts.about.ndi} <NdiLink />
        </p>
        <NdiRuntime />
        <p>{texts.about.ffmpeg}</p>
        {about && <Versions versions={about.versions} />}
        {!isInBrowser && (
          <Button size="small" onPress={() => void shell.openFolder()}>
            {texts.actions.openFolder}
          </Button>
        )}
      </section>
      {about ? <Notices notices={about.notices} /> : <p className={styles.panel}>{texts.about.loading}</p>}
    </div>
  );
}

function NdiRuntime() {
  const ndi = ndiRuntimeOf(useConsole((view) => view.engine?.transport ?? null));
  return (
    <p className={styles.soft}>
      {ndi ? texts.about.runtime(texts.ndi.version(ndi.version), ndi.path) : texts.about.noRuntime}
    </p>
  );
}

function Versions({ versions }: { versions: About['versions'] }) {
  // A console in a browser runs without Electron.
  const versionsShown = versionNames.filter(([id]) => versions[id] !== undefined);
  return (
    <dl className={styles.versions} aria-label={texts.about.versions}>
      {versionsShown.map(([id, name]) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd>{versions[id]}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One text at a time, each as its authors wrote it. */
function Notices({ notices }: { notices: readonly Notice[] }) {
  const [shown, setShown] = useState<NoticeId>('notice');
  const text = notices.find(({ id }) => id === shown)?.text ?? null;
  const options = notices.map(({ id }) => [id, texts.about.notices[id]] as const);
  return (
    <section className={styles.notices} aria-label={texts.about.noticesTitle}>
      <Choice label={texts.about.noticesTitle} options={options} value={shown} onChange={setShown} />
      {text === null ? (
        <p className={styles.missing}>
          {texts.about.missing} {texts.about.missingRemedy[shown]}
        </p>
      ) : (
        <ScrollRoom
          key={shown}
          className={styles.text}
          label={texts.about.notices[shown]}
          testId="notice-text"
        >
          {text}
        </ScrollRoom>
      )}
    </section>
  );
}
