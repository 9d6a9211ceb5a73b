import type { KeyboardEvent, ReactNode } from 'react';
import { problemText } from '../../app/protocol/errors';
import { presetRates, presetSizes } from '../../app/protocol/format';
import { addStream, chooseMovie } from '../engine/actions';
import { useConsole } from '../engine/console-store';
import { useHindrances } from '../engine/hindrances';
import { type MachineMovie, movieOf, type SourceKind, useSettings } from '../engine/source-settings';
import { fileName } from '../format';
import { Field } from '../forms/field';
import { Button } from '../shell/button';
import { Choice } from '../shell/choice';
import { openSheet } from '../shell/open-sheet';
import { texts } from '../texts';
import { addsByKey } from './adds-by-key';
import { ClipMaking } from './clip-making';
import { EndPlaces } from './end-places';
import { LiveSources } from './live-sources';
import { MovieLook } from './movie-look';
import { NameField } from './name-field';
import styles from './panel.module.css';

const kinds = Object.entries(texts.source.kinds) as [SourceKind, string][];
const sizes = presetSizes.map((size) => [size, size.replace('x', '×')] as const);
const rates = presetRates.map((rate) => [rate, rate] as const);

/** What the next stream plays. */
export function SourcePanel() {
  const settings = useSettings();
  const { kind, clip, sendOn } = settings;
  const making = useConsole((view) => view.engine?.making ?? null);
  const { addStream: hindrance } = useHindrances();

  function choose(nextKind: SourceKind): void {
    useSettings.setState({ kind: nextKind });
    if (nextKind === 'movie' && movieOf(settings) === null) void chooseMovie();
    if (nextKind === 'clip' && clip === null && sendOn === null) openSheet('battery');
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!addsByKey(event)) return;
    event.preventDefault();
    if (hindrance === null) addStream();
  }

  return (
    <section className={styles.panel} aria-label={texts.source.title} onKeyDown={onKeyDown}>
      <div className={styles.head}>
        <h2 className={styles.title}>{texts.source.title}</h2>
        {kind !== 'live' && <AudioSwitch />}
        <Button size="small" onPress={() => openSheet('presets')}>
          {texts.picker.presets.open}
        </Button>
      </div>
      <Choice label={texts.source.title} options={kinds} value={kind} onChange={choose} />
      {making && <ClipMaking progress={making} />}
      <Chosen kind={kind} />
      {(kind === 'movie' || kind === 'clip') && <NameField />}
      {kind !== 'live' && <EndPlaces />}
    </section>
  );
}

function AudioSwitch() {
  const audio = useSettings((settings) => settings.audio);
  return (
    <label className={styles.switch} title={texts.source.audioHelp}>
      <input
        type="checkbox"
        checked={audio}
        onChange={(event) => useSettings.setState({ audio: event.target.checked })}
      />
      {texts.source.audio}
    </label>
  );
}

function Chosen({ kind }: { kind: SourceKind }) {
  const settings = useSettings();
  const { clip, sendOn } = settings;
  const movie = movieOf(settings);
  switch (kind) {
    case 'movie':
      return (
        <ChosenFile
          name={sendOn === null ? movie && fileName(movie) : movie}
          path={movie}
          button={sendOn === null ? texts.source.chooseMovie : texts.picker.movies.choose(sendOn)}
          onPress={() => void chooseMovie()}
        >
          {sendOn !== null && movie !== null && <Look movie={settings.machineMovie} />}
          <p className={styles.hint}>
            {sendOn === null ? texts.source.movieHint : texts.picker.movies.hint(sendOn)}
          </p>
          <p className={styles.hint}>{texts.source.movieFormat}</p>
        </ChosenFile>
      );
    case 'clip':
      if (sendOn !== null) return <p className={styles.hint}>{texts.picker.movies.noClip(sendOn)}</p>;
      return (
        <ChosenFile
          name={clip && texts.picker.battery.play(clip.name, clip.format.replace('x', '×'), clip.seconds)}
          path={clip?.path ?? null}
          button={texts.picker.battery.choose}
          onPress={() => openSheet('battery')}
        >
          <p className={styles.hint}>{texts.picker.battery.hint}</p>
        </ChosenFile>
      );
    case 'live':
      return <LiveSources />;
    default:
      return <FormatChoice />;
  }
}

/** What an agent says of a movie of its machine. */
export function Look({ movie }: { movie: MachineMovie | null }) {
  const look = movie?.look;
  if (!look) return null;
  if ('message' in look)
    return (
      <p className={styles.problem} role="alert" data-testid="movie-problem">
        {problemText(look)}
      </p>
    );
  const { width, height, rateNumerator, rateDenominator } = look.picture;
  const framesPerSecond = rateNumerator / rateDenominator;
  return <MovieLook movie={{ width, height, framesPerSecond, ...look.movie }} remarks={look.remarks} />;
}

interface ChosenFileProps {
  name: string | null;
  path: string | null;
  button: string;
  onPress: () => void;
  children: ReactNode;
}

/** The file that is played, and what the engine says against it. */
function ChosenFile({ name, path, button, onPress, children }: ChosenFileProps) {
  const problem = useSettings((settings) => settings.problems.source);
  const played = useConsole((view) => view.played.get(path ?? ''));
  return (
    <div className={styles.movie}>
      {path !== null && (
        <b className={styles.file} title={path} data-testid="movie">
          {name}
        </b>
      )}
      {played && !problem && <MovieLook movie={played.movie} remarks={played.remarks} />}
      <Button size="small" onPress={onPress}>
        {button}
      </Button>
      {children}
      {problem && (
        <p className={styles.problem} role="alert" data-testid="source-problem">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Of what the app makes itself. */
function FormatChoice() {
  const { format, problems } = useSettings();
  const [size = '', rate = ''] = format.split('@');
  return (
    <>
      <Choice
        label={texts.source.size}
        options={sizes}
        value={sizes.find(([value]) => value === size)?.[0] ?? null}
        onChange={(value) => useSettings.setState({ format: `${value}@${rate || presetRates[0]}` })}
      />
      <Choice
        label={texts.source.rate}
        options={rates}
        value={rates.find(([value]) => value === rate)?.[0] ?? null}
        onChange={(value) => useSettings.setState({ format: `${size || presetSizes[2]}@${value}` })}
      />
      <div className={styles.pair}>
        <Field
          label={texts.source.format}
          value={format}
          hint={texts.source.formatHint}
          problem={problems.format}
          onChange={(value) => useSettings.setState({ format: value })}
        />
        <NameField />
      </div>
    </>
  );
}
