import { create } from 'zustand';
import { openSheet } from '../shell/open-sheet';

/** What the sheet of an agent’s movies is open for. */
interface AskedMovie {
  machine: string;
  /** Null: none was chosen. */
  answer(name: string | null): void;
}

export const useAskedMovie = create<{ asked: AskedMovie | null }>(() => ({ asked: null }));

/** Lets the operator choose one of the movies that an agent offers, by its name there; null: none was chosen. */
export function chooseMovieOn(machine: string): Promise<string | null> {
  useAskedMovie.getState().asked?.answer(null);
  return new Promise((answer) => {
    useAskedMovie.setState({ asked: { machine, answer } });
    openSheet('movies');
  });
}
