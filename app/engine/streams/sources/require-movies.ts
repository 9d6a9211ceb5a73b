import { parseSource } from '../../../protocol/source-spec';
import type { NativeHost } from '../../capabilities/native-host';
import { inspectMovie } from './movie';

/** @throws WhitelineError naming the field, for a movie among these sources that is not there or cannot be read */
export async function requireMovies(
  sources: readonly string[],
  host: NativeHost,
  field = 'source',
): Promise<void> {
  for (const source of sources) {
    const spec = parseSource(source, field);
    if (spec.kind === 'movie') await inspectMovie(spec.path, host, field);
  }
}
