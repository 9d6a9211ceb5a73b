import { Document, isMap, isScalar, isSeq } from 'yaml';
import { declarationOf } from '../../experiments/find';
import type { FieldSchema } from '../../protocol/field-schema';
import type { Plan } from '../../protocol/plan';
import { parameterSchemas } from '../runs/parameters';

/** A longer help text stands in the experiment's page, not after a value. */
const longestComment = 70;

/** A plan as YAML, with what each parameter means after it where that is short. `parsePlan` reads the same plan. */
export function planText(plan: Plan): string {
  const { name, notes, thresholds, experiments } = plan;
  const entries = experiments.map(({ experiment, name: called, parameters, repeat }) => ({
    experiment,
    ...(called === undefined ? {} : { name: called }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(repeat === 1 ? {} : { repeat }),
  }));
  const document = new Document({
    name,
    ...(notes === undefined ? {} : { notes }),
    ...(thresholds === undefined ? {} : { thresholds }),
    experiments: entries,
  });
  for (const [index, { experiment }] of experiments.entries()) {
    const parameters = document.getIn(['experiments', index, 'parameters'], true);
    if (!isMap(parameters)) continue;
    const schemas = parameterSchemas(declarationOf(experiment));
    for (const { key, value } of parameters.items) {
      const comment = isScalar(key) ? commentOf(schemas[String(key.value)]) : '';
      if (isSeq(value)) value.flow = true;
      // A text of several lines has no place for a comment after it.
      const isOneLine = isScalar(value) ? !String(value.value).includes('\n') : isSeq(value);
      if (comment && isOneLine && (isScalar(value) || isSeq(value))) value.comment = ` ${comment}`;
    }
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function commentOf(schema: FieldSchema | undefined): string {
  const text = schema?.description ?? '';
  return text.length <= longestComment ? text : '';
}
