//! Functions of the libraries that leave their arguments as they are, by language.
//!
//! Any other function that is not in the text may change what its arguments stand for.

pub(super) const PYTHON: &str = "\
    abs all any bin bool chr complex dict divmod enumerate filter float format frozenset getattr \
    hasattr hash hex id int isinstance issubclass len list map max min oct ord pow print range repr \
    reversed round set sorted str sum tuple type zip sqrt gcd floor ceil log sin cos combinations \
    permutations product accumulate bisect_left bisect_right bisect join split open super setattr \
    vars iter callable startswith endswith append Counter deepcopy copy exit input";

pub(super) const JAVA: &str = "\
    println print printf format valueOf parseInt parseLong parseDouble max min abs pow sqrt equals \
    toString asList append contains containsKey get indexOf length charAt substring copyOf \
    copyOfRange hashCode compareTo compare requireNonNull isNull nonNull stream of";

pub(super) const C: &str = "\
    printf fprintf puts putchar fputs strlen strcmp strncmp strchr strstr atoi atol atof abs labs \
    fabs sqrt pow floor ceil round max min exit malloc calloc assert toupper tolower isdigit isalpha \
    isspace to_string stoi log exp sin cos make_pair push_back free __gcd gcd lower_bound \
    upper_bound accumulate count find distance";

pub(super) const SCRIPT: &str = "\
    log error warn info String Number Boolean parseInt parseFloat isNaN isFinite max min abs floor \
    ceil round sqrt pow stringify parse from isArray keys values entries concat includes indexOf \
    join slice push has get add BigInt Symbol require trunc sign hypot charAt charCodeAt \
    fromCharCode split startsWith endsWith repeat padStart toString freeze";

pub(super) const GO: &str = "\
    len cap make new append print println Println Printf Print Sprintf Sprint Sprintln Errorf \
    Fprintln Fprintf Fprint string int int64 float64 Itoa Atoi Sqrt Abs Max Min min max Contains \
    Split Join panic";
