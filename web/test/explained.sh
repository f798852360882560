#!/usr/bin/env bash
# The report of pairs that are explained, as PROGRAM writes it: two functions that do the same in two languages, with hostile words.
#   web/test/explained.sh PROGRAM FOLDER
# FOLDER gets `report`.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2/code"
cd "$2"
cat > code/Lists.java <<'JAVA'
class Lists {
    static int search(int[] sorted, int wanted) {
        log("</script><img src=x onerror=alert(5)>", sorted);
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) / 2;
            if (sorted[middle] == wanted) return middle;
            if (sorted[middle] < wanted) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
JAVA
cat > code/search.py <<'PYTHON'
def search(numbers, wanted):
    """Halves what is left."""
    low, high = 0, len(numbers) - 1
    log("</script><img src=x onerror=alert(5)>", numbers)
    while low <= high:
        middle = (low + high) // 2
        if numbers[middle] == wanted:
            return middle
        elif numbers[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1
PYTHON
"$program" clones code --types 4 --cross-language --granularity function --confidence 0.05 --min-tokens 30 --explain \
    --format html --output report --quiet
