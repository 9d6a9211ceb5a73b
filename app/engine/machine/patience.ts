import { NotKnown } from './facts';

const patienceMs = 2000;

/** A host that is busy, or is not there yet, is not waited for. */
export function within<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new NotKnown(`no answer came within ${patienceMs} ms`));
    const timer = setTimeout(late, patienceMs);
    asked.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
