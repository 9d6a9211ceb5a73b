import { useEffect, useState } from 'react';
import { command } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { type FoundSource, hindranceOf, noteListed, useLiveSearch } from '../engine/live-sources';
import { texts } from '../texts';
import styles from './live-sources.module.css';
import panel from './panel.module.css';

const words = texts.liveSources;
const lookEveryMs = 1000;
/** Senders answer within a second or two; one that is not there by then may not come. */
const patienceMs = 4000;
const noStreams: { name: string }[] = [];

/** NDI sources on the network, looked up as long as this is on show; one of them is added next. */
export function LiveSources() {
  const { found, chosen, problem } = useLiveSearch();
  const streams = useConsole((view) => view.engine?.streams ?? noStreams);
  useSearch();
  if (problem) {
    return (
      <p className={panel.problem} role="alert" data-testid="live-problem">
        {problem.message} {problem.remedy}
      </p>
    );
  }
  if (!found || found.length === 0) return <NothingFound />;
  const hindrance = hindranceOf({ found, chosen }, streams);
  return (
    <>
      <fieldset className={styles.sources} data-testid="live-sources">
        <legend className="visually-hidden">{words.title}</legend>
        {found.map((source) => (
          <Source
            key={source.name}
            source={source}
            isChosen={source.name === chosen}
            isFollowed={streams.some(({ name }) => name === source.name)}
          />
        ))}
      </fieldset>
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
      // Nothing else is asked of a receiving process that an experiment measures with.
      const isMeasuring = useConsole.getState().engine?.mode === 'experiment';
      const answer = isMeasuring ? null : await command({ name: 'listLiveSources' });
      if (isOver) return;
      if (answer) noteListed(answer);
      timer = setTimeout(() => void look(), lookEveryMs);
    }
    useLiveSearch.setState({ found: null, problem: null });
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

interface SourceProps {
  source: FoundSource;
  isChosen: boolean;
  isFollowed: boolean;
}

function Source({ source, isChosen, isFollowed }: SourceProps) {
  const { name, addresses, sender, isListed } = source;
  const [, machine, title] = /^(.*?) \((.*)\)$/.exec(name) ?? [name, words.machineUnknown, name];
  const tags = [
    ...(isListed ? [] : [words.tags.lost]),
    ...(isFollowed ? [words.tags.followed] : []),
    ...(sender === 'other' ? [] : [words.tags[sender]]),
  ];
  return (
    <label
      className={styles.source}
      title={name}
      data-testid="live-source"
      data-listed={isListed}
      data-followed={isFollowed || undefined}
    >
      <input
        type="radio"
        className="visually-hidden"
        name="live-source"
        checked={isChosen}
        onChange={() => useLiveSearch.setState({ chosen: name })}
      />
      <span className={styles.card}>
        <b className={styles.name}>{title}</b>
        <span className={styles.place}>
          {machine} · {addresses.join(', ') || words.noAddress}
        </span>
        {tags.length > 0 && <span className={styles.tags}>{tags.join(' · ')}</span>}
      </span>
    </label>
  );
}
