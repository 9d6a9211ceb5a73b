import { useId, useState } from 'react';
import { type FoundSource, forget, isFollowed, matching, useLiveSearch } from '../engine/live-sources';
import { figure } from '../format';
import { Button } from '../shell/button';
import { texts } from '../texts';
import styles from './live-sources.module.css';
import panel from './panel.module.css';

const words = texts.liveSources;
/** Fewer are seen at a glance. */
const fewSources = 8;

interface ListsProps {
  found: readonly FoundSource[];
  chosen: string | null;
  /** Those that are shown. */
  streams: Parameters<typeof isFollowed>[1];
}

/** What is announced now, and apart from it what is no longer, which can be forgotten. */
export function SourceLists({ found, chosen, streams }: ListsProps) {
  const [sought, setSought] = useState('');
  const id = useId();
  const isLong = found.length > fewSources;
  const shown = isLong ? matching(found, sought) : found;
  const gone = shown.filter(({ isListed }) => !isListed);
  const cardOf = (source: FoundSource) => (
    <Source
      key={source.name}
      source={source}
      isChosen={source.name === chosen}
      isFollowed={isFollowed(source.name, streams)}
    />
  );
  return (
    <>
      {isLong && (
        <div className={styles.find}>
          <label htmlFor={id}>{words.find}</label>
          <input
            {...{ id, value: sought, autoComplete: 'off', spellCheck: false }}
            className={styles.input}
            onChange={({ target }) => setSought(target.value)}
          />
        </div>
      )}
      <div className={styles.lists}>
        {shown.length === 0 && <p className={panel.hint}>{words.nothingLike}</p>}
        <fieldset className={styles.sources} data-testid="live-sources">
          <legend className="visually-hidden">{words.title}</legend>
          {shown.filter(({ isListed }) => isListed).map(cardOf)}
        </fieldset>
        {gone.length > 0 && (
          <fieldset className={styles.sources} data-testid="gone-sources">
            <legend className={styles.gone}>{words.gone}</legend>
            {gone.length > 1 && (
              <Button size="small" onPress={() => forget(gone.map(({ name }) => name))}>
                {words.forgetAll}
              </Button>
            )}
            {gone.map(cardOf)}
          </fieldset>
        )}
      </div>
    </>
  );
}

interface SourceProps {
  source: FoundSource;
  isChosen: boolean;
  isFollowed: boolean;
}

function Source({ source, isChosen, isFollowed: isShown }: SourceProps) {
  const { name, addresses, sender, format, isListed, isTyped = false } = source;
  const [, machine, title] = /^(.*?) \((.*)\)$/.exec(name) ?? [name, words.machineUnknown, name];
  const tags = [
    formatText(format),
    words.kind(sender, format !== null),
    ...(isShown ? [words.tags.followed] : []),
  ];
  return (
    <div className={styles.row}>
      <label
        className={styles.source}
        title={name}
        data-testid="live-source"
        data-listed={isListed}
        data-followed={isShown || undefined}
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
            {isTyped ? words.tags.typed : `${machine} · ${addresses.join(', ') || words.noAddress}`}
          </span>
          <span className={styles.tags} title={format ? undefined : words.noFormatHelp}>
            {tags.filter((tag) => tag !== null).join(' · ')}
          </span>
        </span>
      </label>
      {(isTyped || !isListed) && (
        <Button size="small" label={words.forgetOne(name)} onPress={() => forget([name])}>
          {words.forget}
        </Button>
      )}
    </div>
  );
}

function formatText(format: FoundSource['format']): string {
  if (!format) return words.noFormat;
  const { width, height, framesPerSecond } = format;
  return texts.streams.format(
    width,
    height,
    figure(framesPerSecond, Number.isInteger(framesPerSecond) ? 0 : 2),
  );
}
