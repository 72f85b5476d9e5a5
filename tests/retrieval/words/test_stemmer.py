import snowballstemmer
from snowballstemmer.english_stemmer import EnglishStemmer

from retrieval.words.tokenize import STOP_WORDS


def test_the_stemmer_in_c_is_taken_and_stems_alike() -> None:
    """An index made with one is searched with the other where PyStemmer cannot be installed."""
    plain, taken = EnglishStemmer(), snowballstemmer.stemmer("english")
    assert type(taken).__module__ == "Stemmer"
    words = ("terminating", "obligations", "indemnified", "parties", "notwithstanding", "señor", "müller", "société")
    for word in (*words, *STOP_WORDS, "o'brien's", "договор", "合同"):
        assert taken.stemWord(word) == plain.stemWord(word)
    assert taken.stemWord("obligations") == "oblig"
