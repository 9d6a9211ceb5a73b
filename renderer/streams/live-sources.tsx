import { useEffect, useState } from 'react';
import { command } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { beginSearch, hindranceOf, noteListed, useLiveSearch } from '../engine/live-sources';
import { texts } from '../texts';
import styles from './live-sources.module.css';
import panel from './panel.module.css';
import { SenderAddress } from './sender-address';
import { SourceLists } from './source-lists';

const words = texts.liveSources;
const lookEveryMs = 1000;
/** Senders answer within a second or two; one that is not there by then may not come. */
const patienceMs = 4000;
const noStreams: { ndiName: string }[] = [];

/** NDI sources on the network, looked up as long as this is on show; one of them is added next. */
export function LiveSources() {
  const { problem } = useLiveSearch();
  useSearch();
  if (problem) {
    return (
      <p className={panel.problem} role="alert" data-testid="live-problem">
        {problem.message} {problem.remedy}
      </p>
    );
  }
  return (
    <>
      <Sources />
      <SenderAddress />
    </>
  );
}

function Sources() {
  const { found, chosen } = useLiveSearch();
  const streams = useConsole((view) => view.engine?.streams ?? noStreams);
  if (!found || found.length === 0) return <NothingFound />;
  const hindrance = hindranceOf({ found, chosen }, streams);
  return (
    <>
      <SourceLists {...{ found, chosen, streams }} />
      <p className={panel.hint} data-testid="live-hint">
        {hindrance ? words.hindrances[hindrance] : words.hint}
      </p>
    </>
  );
}

function useSearch(): void {
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function look(): Promise<void> {
      // While an experiment measures, its receiving process must do nothing else.
      const isMeasuring = useConsole.getState().engine?.mode === 'experiment';
      const answer = isMeasuring ? null : await command({ name: 'listLiveSources' });
      if (isOver) return;
      if (answer) noteListed(answer);
      timer = setTimeout(() => void look(), lookEveryMs);
    }
    beginSearch();
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
}

function NothingFound() {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.nothing} data-testid="live-none" data-late={isLate || undefined}>
      <b>{isLate ? words.noneTitle : words.searching}</b>
      {isLate && <p className={panel.hint}>{words.none}</p>}
    </div>
  );
}
