import { useEffect, useId, useState } from 'react';
import { type Problem, problemText } from '../../app/protocol/errors';
import type { MovieList } from '../../app/protocol/fleet/movie-list';
import { command } from '../engine/connection';
import { useAskedMovie } from '../engine/machine-movies';
import { figure } from '../format';
import { Button } from '../shell/button';
import { Dialog } from '../shell/dialog';
import { closeSheet } from '../shell/open-sheet';
import { texts } from '../texts';
import styles from './movies-sheet.module.css';

const words = texts.picker.movies;
/** Fewer are seen at a glance. */
const fewMovies = 8;

/** The movies that the agent of a machine offers, to choose one of them. */
export function MoviesSheet() {
  const asked = useAskedMovie((state) => state.asked);
  return asked && <Movies key={asked.machine} machine={asked.machine} answer={asked.answer} />;
}

interface Props {
  machine: string;
  answer: (name: string | null) => void;
}

function Movies({ machine, answer }: Props) {
  const [list, setList] = useState<MovieList | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function look(): Promise<void> {
    const { result, problem } = await command({ name: 'listMovies', machine });
    if (result) setList(result);
    setProblem(problem);
  }

  function end(name: string | null): void {
    answer(name);
    closeSheet();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens.
  useEffect(() => void look(), []);

  return (
    <Dialog title={words.title(machine)} isWide onClose={() => end(null)}>
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
      {!list && !problem && <p className={styles.soft}>{words.loading(machine)}</p>}
      {list && <MovieNames machine={machine} list={list} onChoose={end} />}
      <div className={styles.foot}>
        <Button size="small" onPress={() => void look()}>
          {words.lookAgain}
        </Button>
      </div>
    </Dialog>
  );
}

interface NamesProps {
  machine: string;
  list: MovieList;
  onChoose: (name: string) => void;
}

/** What there is, what of it is not named, or why there is nothing. */
export function MovieNames({ machine, list, onChoose }: NamesProps) {
  const { hasFolders, names, more, isWhole } = list;
  const [sought, setSought] = useState('');
  const id = useId();
  const found = names.filter((name) => name.toLowerCase().includes(sought.trim().toLowerCase()));
  if (!hasFolders) return <p data-testid="no-movies">{words.noFolders(machine)}</p>;
  return (
    <div className={styles.movies} data-testid="machine-movies">
      {names.length > fewMovies && (
        <div className={styles.find}>
          <label htmlFor={id}>{words.find}</label>
          <input
            {...{ id, value: sought, autoComplete: 'off', spellCheck: false }}
            className={styles.input}
            onChange={({ target }) => setSought(target.value)}
          />
          <span className={styles.soft}>{words.found(figure(found.length), figure(names.length))}</span>
        </div>
      )}
      <ul className={styles.names}>
        {found.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={styles.name}
              aria-label={words.play(name, machine)}
              onClick={() => onChoose(name)}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      {names.length === 0 && <p data-testid="no-movies">{words.empty(machine)}</p>}
      {more > 0 && <p className={styles.soft}>{words.more(figure(more))}</p>}
      {!isWhole && <p className={styles.soft}>{words.notWhole}</p>}
    </div>
  );
}
