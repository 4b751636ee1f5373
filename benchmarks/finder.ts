import { chosenCalls } from './support/chosen-calls.ts';
import { measureDocuments } from './support/finder/measure-documents.ts';
import { measureLanguages } from './support/finder/measure-languages.ts';
import { measurePage } from './support/finder/measure-page.ts';

/**
 * Measures what a scan costs the server (`document`), its bytes in each language (`languages`), and how soon a finder on a
 * slow phone can use the page (`page`).
 * `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/finder.ts [--profile]
 *
 * BENCHMARK_CALLS chooses one of the three. BENCHMARK_BASELINE names another built copy of the project, whose cold documents
 * are measured in turns.
 */
const parts = { document: measureDocuments, languages: measureLanguages, page: measurePage };
for (const part of chosenCalls(['document', 'languages', 'page'] as const)) await parts[part]();
