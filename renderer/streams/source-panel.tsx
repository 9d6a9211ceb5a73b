import { presetRates, presetSizes } from '../../app/protocol/format';
import { chooseMovie } from '../engine/actions';
import { type SourceKind, useSettings } from '../engine/source-settings';
import { fileName } from '../format';
import { Button } from '../shell/button';
import { Choice } from '../shell/choice';
import { texts } from '../texts';
import { Field } from './field';
import styles from './panel.module.css';

const kinds = Object.entries(texts.source.kinds) as [SourceKind, string][];
const sizes = presetSizes.map((size) => [size, size.replace('x', '×')] as const);
const rates = presetRates.map((rate) => [rate, rate] as const);

/** What the next stream plays. */
export function SourcePanel() {
  const { kind, moviePath, format, problems } = useSettings();
  const [size = '', rate = ''] = format.split('@');

  function choose(nextKind: SourceKind): void {
    useSettings.setState({ kind: nextKind });
    if (nextKind === 'movie' && moviePath === null) void chooseMovie();
  }

  return (
    <section className={styles.panel} aria-label={texts.source.title}>
      <h2 className={styles.title}>{texts.source.title}</h2>
      <Choice label={texts.source.title} options={kinds} value={kind} columns={3} onChange={choose} />
      {kind === 'movie' ? (
        <div className={styles.movie}>
          {moviePath && (
            <b className={styles.file} title={moviePath} data-testid="movie">
              {fileName(moviePath)}
            </b>
          )}
          <Button size="small" onPress={() => void chooseMovie()}>
            {texts.source.chooseMovie}
          </Button>
          <p className={styles.hint}>{texts.source.movieHint}</p>
          <p className={styles.hint}>{texts.source.movieFormat}</p>
          {moviePath && problems.source && (
            <p className={styles.problem} role="alert">
              {problems.source}
            </p>
          )}
        </div>
      ) : (
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
          <Field
            label={texts.source.format}
            value={format}
            hint={texts.source.formatHint}
            problem={problems.format}
            onChange={(value) => useSettings.setState({ format: value })}
          />
        </>
      )}
    </section>
  );
}
